import { request } from './request.js';
import { session, sessionChannel } from './session-state.js';
import { clearAnswers } from './use-query.js';

/** Ends the session, in every tab. @throws RequestError */
export async function signOut(): Promise<void> {
  await request('DELETE', '/session');
  clearAnswers();
  session.value = { state: 'signedOut', ended: false };
  sessionChannel.postMessage('signedOut');
}
