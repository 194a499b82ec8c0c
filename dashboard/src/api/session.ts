import { viewerDocument } from '../generated/documents.js';
import { execute, request } from './request.js';
import { endSession, session, sessionChannel } from './session-state.js';
import { clearAnswers } from './use-query.js';

/**
 * Asks the service who is signed in, and sets `session`.
 * @throws RequestError when the service does not answer
 */
export async function loadSession(): Promise<void> {
  try {
    const { viewer } = await execute(viewerDocument, {});
    session.value = { state: 'signedIn', viewer };
  } catch (error) {
    // execute() has set the state.
    if (session.peek().state === 'signedOut') return;
    throw error;
  }
}

/** Requests a mail with a sign-in link. The answer is the same for every address. @throws RequestError */
export async function requestLink(email: string): Promise<void> {
  await request('POST', '/session/link', { email });
}

/** Returns the address at the operator's OpenID provider where this browser signs in. @throws RequestError */
export async function beginAtProvider(): Promise<string> {
  return ((await request('POST', '/session/openid')) as { readonly url: string }).url;
}

/** Signs in with the token of a link or the code of a mail, in every tab. @throws RequestError */
export async function signIn(proof: { token: string } | { code: string }): Promise<void> {
  await request('POST', '/session', proof);
  clearAnswers();
  await loadSession();
  sessionChannel.postMessage('signedIn');
}

/** Ends the session, in every tab. @throws RequestError */
export async function signOut(): Promise<void> {
  await request('DELETE', '/session');
  clearAnswers();
  session.value = { state: 'signedOut', ended: false };
  sessionChannel.postMessage('signedOut');
}

/** Signs this tab in and out together with the other tabs of the browser. */
export function followOtherTabs(): void {
  sessionChannel.onmessage = ({ data }) => {
    // First, so that no view of the old session asks again with the new cookie.
    if (data === 'signedOut') endSession();
    else session.value = { state: 'unknown' };
    clearAnswers();
  };
}
