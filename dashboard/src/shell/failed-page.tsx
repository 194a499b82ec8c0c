import { Button } from '../components/button.js';
import { Notice } from '../components/notice.js';
import { text } from '../texts/text.js';

/** Stands in place of a view that threw. */
export function FailedPage() {
  return (
    <Notice kind="bad" title={text.common.failed}>
      <div>
        <Button small onClick={() => location.reload()}>
          {text.common.reload}
        </Button>
      </div>
    </Notice>
  );
}
