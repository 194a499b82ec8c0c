import { setPageToken, request } from '../api/request.js';
import { RequestError } from '../api/request-error.js';
import { loadSession } from '../api/session.js';
import { session } from '../api/session-state.js';
import { clearAnswers } from '../api/use-query.js';
import { text } from '../texts/text.js';

/**
 * Redeems a link. If the browser keeps the cookie, this page and the service delete the token of the
 * answer. Otherwise the token stays in the memory of this page.
 * @throws RequestError
 */
export async function openPortal(link: string): Promise<void> {
  const answer = (await request('POST', '/session', { token: link })) as { readonly token: string };
  setPageToken(undefined);
  await request('POST', '/session/kept').catch((error: unknown) => {
    if (!(error instanceof RequestError)) throw error;
    setPageToken(answer.token);
  });
  clearAnswers();
  await loadSession();
  if (session.value.state !== 'signedIn') {
    throw new RequestError('unauthorized', text.portal.refused, {}, 401);
  }
}
