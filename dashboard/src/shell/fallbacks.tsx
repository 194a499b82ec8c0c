import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import { lazy, useLocation } from 'preact-iso';
import { reloadIfReplaced } from '../api/new-version.js';
import { RequestError } from '../api/request-error.js';
import { Button, ButtonLink } from '../components/button.js';
import { EmptyState } from '../components/card.js';
import { ErrorNotice } from '../components/notice.js';
import { lazyPart, type Load } from '../components/lazy-part.js';
import { PageHeader } from '../components/page-header.js';
import { text } from '../texts/text.js';
import { startPath } from './navigation.js';

/** A view whose code is loaded when it is opened. The previous view stays until then. */
export function lazyView(load: Load<object>): ComponentType {
  // The router leaves a rejection unhandled, and keeps it for every later click.
  return lazy(() => load().catch(() => lazyPart(load, FailedPage)));
}

/** Keeps the shell when a view throws. Going to another view tries again. */
export function ViewBoundary({ children }: { readonly children: ComponentChildren }) {
  const { path } = useLocation();
  const boundary = useErrorBoundary((thrown) => {
    reportError(thrown);
    void reloadIfReplaced();
  });
  const error: unknown = boundary[0];
  useEffect(() => {
    if (error !== undefined) boundary[1]();
  }, [path]);
  return error === undefined ? children : <FailedPage />;
}

interface FailedPageProps {
  /** Loads the view again, if its code did not load. */
  readonly retry?: () => void;
}

/** Replaces a view that threw or did not load. */
function FailedPage({ retry }: FailedPageProps) {
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
  /** Why the session could not be read; undefined if code did not load. */
  readonly error?: RequestError;
  readonly retry: () => void;
}

/** Replaces all views when the page could not start. */
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

/** Replaces a view whose address does not exist. */
export function NotFoundPage() {
  return (
    <div class="stack">
      <PageHeader title={text.common.notFound} />
      <EmptyState
        title={text.common.notFound}
        action={<ButtonLink href={startPath()}>{text.common.toStart}</ButtonLink>}
      >
        {text.common.notFoundDetail}
      </EmptyState>
    </div>
  );
}
