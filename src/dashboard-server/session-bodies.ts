import type { IncomingMessage } from 'node:http';
import { ApiError } from '../api/problem.js';
import { type Issue, validationFailed } from '../domain/errors.js';
import { readJsonBody } from '../api/json-body.js';

const limits = { contentTypes: ['application/json'], maxBytes: 4_096, maxValues: 20 };

/**
 * Reads a JSON object with exactly one member, a text, of one of these names.
 * @throws ApiError unsupported_media_type, payload_too_large, invalid_json
 * @throws DomainError validation_failed
 */
export async function readOneText<Name extends string>(
  request: IncomingMessage,
  names: readonly Name[],
): Promise<{ readonly name: Name; readonly text: string }> {
  // A form of another site can send a body without a type, or of three others.
  if (request.headers['content-type'] === undefined) {
    const headers = { Accept: 'application/json' };
    throw new ApiError('unsupported_media_type', 'Send the body as application/json.', { headers });
  }
  const body = await readJsonBody(request, limits);
  const entries: [string, unknown][] = Object.entries(
    typeof body === 'object' && body !== null ? body : {},
  );
  const [entry] = entries;
  if (entry && entries.length === 1) {
    const [, text] = entry;
    const name = names.find((known) => known === entry[0]);
    if (name !== undefined && typeof text === 'string') return { name, text };
  }
  throw validationFailed([issueOf(entries, names)]);
}

function issueOf(entries: readonly [string, unknown][], names: readonly string[]): Issue {
  const unknown = entries.find(([name]) => !names.includes(name));
  if (unknown) {
    return { code: 'unknown_property', detail: 'This member is not known.', param: unknown[0] };
  }
  const [wrong] = entries;
  const [param = ''] = wrong ?? names;
  if (entries.length > 1) {
    return { code: 'invalid_value', detail: `Send one of: ${names.join(', ')}.`, param };
  }
  return wrong
    ? { code: 'invalid_type', detail: 'Must be a text.', param }
    : { code: 'required', detail: `Send one of: ${names.join(', ')}.`, param };
}
