import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { RequestError } from './api/request-error.js';
import { loadSession } from './api/session.js';
import { session } from './api/session-state.js';
import { toRequestError } from './api/use-query.js';
import { SignInPage } from './pages/sign-in/sign-in-page.js';
import { signInPath, signInPathFor } from './pages/sign-in/next-path.js';
import { FailedStart } from './shell/failed-page.js';
import { startPath } from './shell/navigation.js';
import { Views } from './views.js';

/** Leads to the sign-in page without a session, and from it with one. */
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
  // Another tab may sign in to another account: no view keeps what it showed of the one before.
  const { account, member } = current.viewer;
  return <Views key={`${account.id} ${member?.id ?? ''}`} />;
}
