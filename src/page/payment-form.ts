import type { IncomingMessage } from 'node:http';
import { readBytes } from '../rest/body.js';
import { Refused } from '../rest/problem.js';

/** An e-mail address, a name and their field names, percent-encoded, many times over. */
const maxFormBytes = 16_384;
const formType = 'application/x-www-form-urlencoded';

/**
 * Refuses a form that another site's page sent. There is no cookie that such a page could abuse, but
 * a buyer pays on this page or not at all. Programs that are no browsers say nothing and may pass.
 * @throws Refused forbidden
 */
export function refuseForeignForm({ headers }: IncomingMessage, origin: string): void {
  const site = headers['sec-fetch-site'];
  const own =
    site === undefined ? isOwn(headers, origin) : site === 'same-origin' || site === 'none';
  if (!own) throw new Refused('forbidden', 'A page of another site sent the form.');
}

function isOwn({ origin, host }: IncomingMessage['headers'], ownOrigin: string): boolean {
  if (origin === undefined || origin === new URL(ownOrigin).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/**
 * Reads a form as browsers send it.
 * @throws Refused unsupported_media_type, payload_too_large
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const { 'content-type': type = '', 'content-encoding': coding } = request.headers;
  const [essence = ''] = type.split(';', 1);
  if (essence.trim().toLowerCase() !== formType || coding !== undefined) {
    const headers = { Accept: formType };
    throw new Refused('unsupported_media_type', `Send the form as ${formType}.`, { headers });
  }
  return new URLSearchParams((await readBytes(request, maxFormBytes)).toString('utf8'));
}
