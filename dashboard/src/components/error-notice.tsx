import type { RequestError } from '../api/request-error.js';
import { text } from '../texts/text.js';
import { Button } from './button.js';
import { DataText } from './data-text.js';
import { Notice } from './notice.js';

interface ErrorNoticeProps {
  readonly error: RequestError;
  readonly retry?: () => void;
}

/** Says why a request failed, in the words of the service. */
export function ErrorNotice({ error, retry }: ErrorNoticeProps) {
  return (
    <Notice kind="bad" title={text.common.problem}>
      <p>
        <DataText value={error.message} />
      </p>
      {retry && (
        <div>
          <Button small onClick={retry}>
            {text.common.tryAgain}
          </Button>
        </div>
      )}
    </Notice>
  );
}
