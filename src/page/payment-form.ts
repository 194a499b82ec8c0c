import type { IncomingMessage } from 'node:http';
import { readRawBody } from '../api/bodies.js';
import { ApiError } from '../api/problem.js';
import { parseUrl } from '../domain/parse-url.js';

/** Many times the size of an e-mail address and a name, percent-encoded. */
const maxFormBytes = 16_384;
const formType = 'application/x-www-form-urlencoded';

/**
 * Refuses a form that another site sent. There is no cookie to abuse, but a buyer must pay on this
 * page only. Clients other than browsers send no such header and pass.
 * @throws ApiError forbidden
 */
export function rejectCrossSiteForm({ headers }: IncomingMessage, origin: string): void {
  const site = headers['sec-fetch-site'];
  const sameOrigin =
    site === undefined ? isSameOrigin(headers, origin) : site === 'same-origin' || site === 'none';
  if (!sameOrigin)
    throw new ApiError(
      'forbidden',
      'The form came from another site. Open the page itself and send it from there.',
    );
}

function isSameOrigin({ origin, host }: IncomingMessage['headers'], ownOrigin: string): boolean {
  if (origin === undefined || origin === new URL(ownOrigin).origin) return true;
  const url = parseUrl(origin);
  return url !== undefined && url.host === host;
}

/**
 * Reads a form as browsers send it.
 * @throws ApiError unsupported_media_type, payload_too_large
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const { 'content-type': type = '', 'content-encoding': encoding } = request.headers;
  const [mediaType = ''] = type.split(';', 1);
  if (encoding !== undefined) {
    const headers = { Accept: formType, 'Accept-Encoding': 'identity' };
    const detail = 'Send the form uncompressed, without Content-Encoding.';
    throw new ApiError('unsupported_media_type', detail, { headers });
  }
  if (mediaType.trim().toLowerCase() !== formType) {
    const headers = { Accept: formType };
    throw new ApiError('unsupported_media_type', `Send the form as ${formType}.`, { headers });
  }
  return new URLSearchParams((await readRawBody(request, maxFormBytes)).toString('utf8'));
}
