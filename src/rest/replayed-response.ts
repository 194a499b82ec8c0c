import type { RecordedResponse } from '../domain/idempotency/idempotency-records.js';
import type { RestResponse } from './call.js';

const replayedHeader = 'Idempotent-Replayed';

/** Whether the response is a stored one, so this request changed nothing. */
export function isReplayed({ headers }: RestResponse): boolean {
  return replayedHeader in headers;
}

/** Returns the stored response as that of a request under the same key. */
export function replayStored({ status, body, location }: RecordedResponse): RestResponse {
  const headers = {
    [replayedHeader]: 'true',
    ...(location !== null && { Location: location }),
  };
  return { status, text: body, headers };
}
