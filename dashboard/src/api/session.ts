import { viewerDocument } from '../generated/documents.js';
import { execute } from './execute.js';
import { clearAnswers } from './use-query.js';
import { request } from './request.js';
import { session, sessionChannel } from './session-state.js';

/**
 * Asks the service who is signed in, and sets `session`.
 * @throws RequestError when the service does not answer
 */
export async function loadSession(): Promise<void> {
  try {
    const { viewer } = await execute(viewerDocument, {});
    session.value = { state: 'signedIn', viewer };
  } catch (error) {
    // execute() has set it.
    if (session.peek().state === 'signedOut') return;
    throw error;
  }
}

/** Asks for a mail with a link. The answer is the same for every address. @throws RequestError */
export async function requestLink(email: string): Promise<void> {
  await request('POST', '/session/link', { email });
}

/** Returns the address at the operator's OpenID provider where this browser signs in. @throws RequestError */
export async function beginAtProvider(): Promise<string> {
  return ((await request('POST', '/session/openid')) as { readonly url: string }).url;
}

/** Signs in with the token of a link or the code of a mail. @throws RequestError */
export async function signIn(proof: { token: string } | { code: string }): Promise<void> {
  await request('POST', '/session', proof);
  clearAnswers();
  await loadSession();
  sessionChannel.postMessage('signedIn');
}
