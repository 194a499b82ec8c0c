import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import type { RequestError } from './api/request-error.js';
import { loadSession } from './api/session.js';
import { session } from './api/session-state.js';
import { toRequestError } from './api/use-query.js';
import { ErrorNotice } from './components/error-notice.js';
import { Toasts } from './components/toast.js';
import { SignInPage } from './pages/sign-in/sign-in-page.js';
import { signInPath, signInPathFor } from './pages/sign-in/next-path.js';
import { views } from './routes.js';
import { FailedPage } from './shell/failed-page.js';
import { home } from './shell/home.js';
import { NotFoundPage } from './shell/not-found-page.js';
import { Shell } from './shell/shell.js';

/** The dashboard: the sign-in page, or the shell with one view. */
export function App() {
  return (
    <LocationProvider scope="/dashboard">
      <Gate />
      <Toasts />
    </LocationProvider>
  );
}

/** Leads to the sign-in page without a session, and from it with one. */
function Gate() {
  const { path, url, route } = useLocation();
  const [error, setError] = useState<RequestError>();
  const { state } = session.value;
  const atSignIn = path === signInPath;
  const load = () => {
    setError(undefined);
    loadSession().catch((thrown: unknown) => setError(toRequestError(thrown)));
  };
  useEffect(load, []);
  useEffect(() => {
    if (state === 'signedOut' && !atSignIn) route(signInPathFor(url), true);
    if (state === 'signedIn' && /^\/dashboard\/?$/.test(path)) route(home, true);
  }, [state, path]);
  if (atSignIn) return <SignInPage />;
  if (error) {
    return (
      <main class="center">
        <ErrorNotice error={error} retry={load} />
      </main>
    );
  }
  return state === 'signedIn' ? <Views /> : null;
}

function Views() {
  return (
    <Shell>
      <Guard>
        <Router>
          {views.map(({ path, component }) => (
            <Route key={path} path={path} component={component} />
          ))}
          <Route default component={NotFoundPage} />
        </Router>
      </Guard>
    </Shell>
  );
}

/** Keeps the shell when a view throws; going to another view tries again. */
function Guard({ children }: { readonly children: ComponentChildren }) {
  const { path } = useLocation();
  const boundary = useErrorBoundary(reportError);
  const error: unknown = boundary[0];
  useEffect(() => {
    if (error !== undefined) boundary[1]();
  }, [path]);
  return error === undefined ? children : <FailedPage />;
}
