import { Button } from '../components/button.js';
import { PageHeader } from '../components/page-header.js';
import { text } from '../texts/text.js';

/** Stands in place of a view that threw. */
export function FailedPage() {
  return (
    <>
      <PageHeader title={text.common.failed} />
      <div>
        <Button onClick={() => location.reload()}>{text.common.reload}</Button>
      </div>
    </>
  );
}
