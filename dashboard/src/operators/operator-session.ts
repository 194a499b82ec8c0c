import { execute, request } from '../api/request.js';
import { session, sessionChannel } from '../api/session-state.js';
import { clearAnswers } from '../api/use-query.js';
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

/** Signs in with an internal token, which the browser forgets. @throws RequestError */
export async function signIn(token: string): Promise<void> {
  await request('POST', '/session', { token });
  clearAnswers();
  await loadSession();
  sessionChannel.postMessage('signedIn');
}
