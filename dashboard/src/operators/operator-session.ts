import { execute } from '../api/execute.js';
import { request } from '../api/request.js';
import { endSession, session, sessionChannel } from '../api/session-state.js';
import { forgetAnswers } from '../api/use-query.js';
import { viewerDocument } from '../generated/operator-documents.js';

/**
 * Asks the service who is signed in, and sets `session`.
 * @throws RequestError when the service does not answer
 */
export async function loadSession(): Promise<void> {
  try {
    const { viewer } = await execute(viewerDocument, {});
    session.value = { state: 'signedIn', viewer: { ...viewer, portal: null } };
  } catch (error) {
    // execute() has set it.
    if (session.peek().state === 'signedOut') return;
    throw error;
  }
}

/** Follows what other tabs of this browser do. */
export function followOtherTabs(): void {
  sessionChannel.onmessage = ({ data }) => {
    forgetAnswers();
    if (data === 'signedOut') endSession();
    else void loadSession().catch(() => undefined);
  };
}

/** Signs in with an internal token, which the browser forgets. @throws RequestError */
export async function signIn(token: string): Promise<void> {
  await request('POST', '/session', { token });
  forgetAnswers();
  await loadSession();
  sessionChannel.postMessage('signedIn');
}

/** Ends the session. @throws RequestError */
export async function signOut(): Promise<void> {
  await request('DELETE', '/session');
  forgetAnswers();
  session.value = { state: 'signedOut', ended: false };
  sessionChannel.postMessage('signedOut');
}
