import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { base } from './api/base.js';
import type { RequestError } from './api/request-error.js';
import { loadSession } from './api/session.js';
import { session } from './api/session-state.js';
import { toRequestError } from './api/use-query.js';
import { Toasts } from './components/toast.js';
import { signInPath, signInPathFor } from './pages/sign-in/sign-in-rules.js';
import { SignInPage } from './pages/sign-in/sign-in-page.js';
import { views } from './routes.js';
import { FailedStart, NotFoundPage, ViewBoundary } from './shell/fallbacks.js';
import { startPath } from './shell/navigation.js';
import { Shell } from './shell/shell.js';

/** All pages. @param gate shows the sign-in page or, to a visitor who has signed in, the views */
export function App({ gate: Entrance }: { readonly gate: ComponentType }) {
  return (
    <LocationProvider scope={base}>
      <Entrance />
      <Toasts />
    </LocationProvider>
  );
}

/** The gate of the dashboard: leads to the sign-in page without a session, and on from it with one. */
export function Gate() {
  const { path, url, route } = useLocation();
  const [error, setError] = useState<RequestError>();
  const current = session.value;
  const { state } = current;
  const atSignIn = path === signInPath;

  const load = () => {
    setError(undefined);
    loadSession().catch((thrown: unknown) => setError(toRequestError(thrown)));
  };

  useEffect(() => {
    if (state === 'unknown') load();
  }, [state]);

  useEffect(() => {
    if (state === 'signedOut' && !atSignIn) route(signInPathFor(url), true);
    if (state === 'signedIn' && /^\/dashboard\/?$/.test(path)) route(startPath(), true);
  }, [state, path]);

  if (atSignIn) return <SignInPage />;
  if (error) return <FailedStart error={error} retry={load} />;
  if (current.state !== 'signedIn') return null;

  // Another tab may sign in to another account: then no view keeps data of the previous one.
  const { account, member } = current.viewer;
  return <Views key={`${account.id} ${member?.id ?? ''}`} />;
}

/** The shell with the view of the address. */
export function Views() {
  return (
    <Shell>
      <ViewBoundary>
        <Router>
          {views.map(({ path, component }) => (
            <Route key={path} path={path} component={component} />
          ))}
          <Route default component={NotFoundPage} />
        </Router>
      </ViewBoundary>
    </Shell>
  );
}
