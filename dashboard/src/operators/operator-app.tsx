import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import type { RequestError } from '../api/request-error.js';
import { session } from '../api/session-state.js';
import { toRequestError } from '../api/use-query.js';
import { Toasts } from '../components/toast.js';
import { FailedPage, FailedStart } from '../shell/failed-page.js';
import { lazyView } from '../shell/lazy-view.js';
import { NotFoundPage } from '../shell/not-found-page.js';
import { loadSession } from './operator-session.js';
import { OperatorShell } from './operator-shell.js';
import { OverviewPage } from './overview-page.js';
import { paths } from './paths.js';
import { SignInPage } from './sign-in-page.js';

const AccountsPage = lazyView(() => import('./accounts-page.js').then((page) => page.AccountsPage));
const AccountPage = lazyView(() => import('./account-page.js').then((page) => page.AccountPage));
const EventPage = lazyView(() => import('./event-page.js').then((page) => page.EventPage));
const DeadLettersPage = lazyView(() =>
  import('./dead-letters-page.js').then((page) => page.DeadLettersPage),
);
const DeadLetterPage = lazyView(() =>
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
  if (error) return <FailedStart error={error} retry={load} />;
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
          <Route path={`${paths.events}/:id`} component={EventPage} />
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
