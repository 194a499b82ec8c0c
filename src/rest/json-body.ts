import type { IncomingMessage } from 'node:http';
import { InvalidJson, readJson } from '../json/strict-json.js';
import { hasBody, readBytes } from './body.js';
import { Refused } from './problem.js';

/** Bytes of a body (H92). */
const maxBytes = 1_048_576;

/**
 * Reads a body as JSON (H18, H92); undefined when there is none.
 * @param contentTypes those that the operation takes
 * @throws Refused unsupported_media_type, payload_too_large, invalid_json
 */
export async function readJsonBody(
  request: IncomingMessage,
  contentTypes: readonly string[],
): Promise<unknown> {
  const type = request.headers['content-type'];
  const coding = request.headers['content-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') {
    throw unsupported(contentTypes, { 'Accept-Encoding': 'identity' });
  }
  if (type !== undefined && !takes(type, contentTypes)) throw unsupported(contentTypes);
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return undefined;
  if (type === undefined) throw unsupported(contentTypes);
  try {
    return readJson(bytes);
  } catch (error) {
    if (error instanceof InvalidJson) throw new Refused('invalid_json', error.detail);
    throw error;
  }
}

/**
 * Reads the body of a request on the internal listener, by the same rules.
 * @throws Refused unsupported_media_type, payload_too_large, invalid_json
 */
export function readInternalBody(request: IncomingMessage): Promise<unknown> {
  return readJsonBody(request, ['application/json']);
}

/**
 * Reads a body that does not count (H26).
 * @throws Refused payload_too_large
 */
export async function skipBody(request: IncomingMessage): Promise<void> {
  if (hasBody(request)) await readBytes(request, maxBytes);
}

/** Any parameter but a charset that means UTF-8 is let through, as media types define it. */
function takes(type: string, contentTypes: readonly string[]): boolean {
  const [essence = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  if (!contentTypes.includes(essence)) return false;
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=');
    return name !== 'charset' || /^"?utf-8"?$/.test(value);
  });
}

function unsupported(
  contentTypes: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Refused {
  return new Refused('unsupported_media_type', 'Send the body as application/json.', {
    headers: { Accept: contentTypes.join(', '), ...headers },
  });
}
