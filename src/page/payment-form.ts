import type { IncomingMessage } from 'node:http';
import { readRawBody } from '../api/body.js';
import { ApiError } from '../api/problem.js';

/** An e-mail address, a name and their field names, percent-encoded, many times over. */
const maxFormBytes = 16_384;
const formType = 'application/x-www-form-urlencoded';

/**
 * Refuses a form that another site's page sent. There is no cookie that such a page could abuse, but
 * a buyer pays on this page or not at all. Programs that are no browsers say nothing and may pass.
 * @throws Refused forbidden
 */
export function rejectCrossSiteForm({ headers }: IncomingMessage, origin: string): void {
  const site = headers['sec-fetch-site'];
  const sameOrigin =
    site === undefined ? isSameOrigin(headers, origin) : site === 'same-origin' || site === 'none';
  if (!sameOrigin) throw new ApiError('forbidden', 'A page of another site sent the form.');
}

function isSameOrigin({ origin, host }: IncomingMessage['headers'], ownOrigin: string): boolean {
  if (origin === undefined || origin === new URL(ownOrigin).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/**
 * Reads a form as browsers send it.
 * @throws Refused unsupported_media_type, payload_too_large
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const { 'content-type': type = '', 'content-encoding': encoding } = request.headers;
  const [mediaType = ''] = type.split(';', 1);
  if (mediaType.trim().toLowerCase() !== formType || encoding !== undefined) {
    const headers = { Accept: formType };
    throw new ApiError('unsupported_media_type', `Send the form as ${formType}.`, { headers });
  }
  return new URLSearchParams((await readRawBody(request, maxFormBytes)).toString('utf8'));
}
