import { RequestError } from '../api/request-error.js';
import { Button } from '../components/button.js';
import { ErrorNotice } from '../components/error-notice.js';
import { PageHeader } from '../components/page-header.js';
import { text } from '../texts/text.js';

interface FailedPageProps {
  /** Loads the view again, whose code did not arrive. */
  readonly retry?: () => void;
}

/** Stands in place of a view that threw or did not load. */
export function FailedPage({ retry }: FailedPageProps) {
  return (
    <>
      <PageHeader title={text.common.failed} lead={retry && text.common.lost} />
      <div>
        <Button onClick={retry ?? (() => location.reload())}>
          {retry ? text.common.tryAgain : text.common.reload}
        </Button>
      </div>
    </>
  );
}

interface FailedStartProps {
  /** Defaults to code that did not arrive. */
  readonly error?: RequestError;
  readonly retry: () => void;
}

/** Stands in place of all views when the page could not begin. */
export function FailedStart({ error, retry }: FailedStartProps) {
  return (
    <main class="center">
      <h1>{text.common.failed}</h1>
      <ErrorNotice
        error={error ?? new RequestError('unreachable', text.common.lost)}
        retry={retry}
      />
    </main>
  );
}
