import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { lazy, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import type { RequestError } from '../api/request-error.js';
import { session } from '../api/session-state.js';
import { toRequestError } from '../api/use-query.js';
import { ErrorNotice } from '../components/error-notice.js';
import { Toasts } from '../components/toast.js';
import { FailedPage } from '../shell/failed-page.js';
import { NotFoundPage } from '../shell/not-found-page.js';
import { text } from '../texts/text.js';
import { loadSession } from './operator-session.js';
import { OperatorShell } from './operator-shell.js';
import { OverviewPage } from './overview-page.js';
import { paths } from './paths.js';
import { SignInPage } from './sign-in-page.js';

const AccountsPage = lazy(() => import('./accounts-page.js').then((page) => page.AccountsPage));
const AccountPage = lazy(() => import('./account-page.js').then((page) => page.AccountPage));
const DeadLettersPage = lazy(() =>
  import('./dead-letters-page.js').then((page) => page.DeadLettersPage),
);
const DeadLetterPage = lazy(() =>
  import('./dead-letter-page.js').then((page) => page.DeadLetterPage),
);

/** The pages of operators: the sign-in, or the shell with one view. The address stays as it is. */
export function OperatorApp() {
  return (
    <LocationProvider scope="/dashboard">
      <Gate />
      <Toasts />
    </LocationProvider>
  );
}

function Gate() {
  const { path, route } = useLocation();
  const [error, setError] = useState<RequestError>();
  const { state } = session.value;
  const load = () => {
    setError(undefined);
    loadSession().catch((thrown: unknown) => setError(toRequestError(thrown)));
  };
  useEffect(() => {
    if (state === 'unknown') load();
  }, [state]);
  useEffect(() => {
    if (/^\/dashboard\/?$/.test(path)) route(paths.overview, true);
  }, [path]);
  if (state === 'signedOut') return <SignInPage />;
  if (error) {
    return (
      <main class="center">
        <h1>{text.common.failed}</h1>
        <ErrorNotice error={error} retry={load} />
      </main>
    );
  }
  return state === 'signedIn' ? <Views /> : null;
}

function Views() {
  return (
    <OperatorShell>
      <Guard>
        <Router>
          <Route path={paths.overview} component={OverviewPage} />
          <Route path={paths.accounts} component={AccountsPage} />
          <Route path={`${paths.accounts}/:id`} component={AccountPage} />
          <Route path={paths.deadLetters} component={DeadLettersPage} />
          <Route path={`${paths.deadLetters}/:id`} component={DeadLetterPage} />
          <Route default component={NotFoundPage} />
        </Router>
      </Guard>
    </OperatorShell>
  );
}

/** Keeps the shell when a view throws; going to another view tries again. */
function Guard({ children }: { readonly children: ComponentChildren }) {
  const { path } = useLocation();
  // Not the bare function, which the browser refuses as a method of another object.
  const boundary = useErrorBoundary((thrown) => reportError(thrown));
  const error: unknown = boundary[0];
  useEffect(() => {
    if (error !== undefined) boundary[1]();
  }, [path]);
  return error === undefined ? children : <FailedPage />;
}
