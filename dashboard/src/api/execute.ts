import type { Document } from '../generated/documents.js';
import { text } from '../texts/text.js';
import { reloadForNewVersion } from './new-version.js';
import { request } from './request.js';
import { RequestError } from './request-error.js';
import { endSession } from './session-state.js';

/**
 * Executes a trusted document. An ended session leads to the sign-in page.
 * @throws RequestError
 */
export async function execute<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  try {
    const answer = await request('POST', '/graphql', { id: document.id, variables });
    return (answer as { data: Result }).data;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error.status === 401) endSession();
    if (error.code === 'document_unknown') reloadForNewVersion();
    if (error.code === 'unreachable' && document.kind === 'mutation') {
      throw new RequestError(error.code, text.common.lostChange);
    }
    throw error;
  }
}
