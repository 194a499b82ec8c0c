import type { IssueCode } from '../domain/errors.js';
import { countCharacters } from '../domain/text-issues.js';
import { ApiError } from '../api/problem.js';

const maxCharacters = 255;
const param = 'Idempotency-Key';
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the Idempotency-Key of a request that requires one. It is taken literally, 1 to 255
 * characters.
 * @param values the header's lines as Node returns them, one character per byte
 * @throws ApiError idempotency_key_required, invalid_idempotency_key
 */
export function readKey(values: readonly string[]): string {
  const [value = ''] = values;
  if (values.length > 1) throw invalidKey('repeated_header', 'must be sent exactly once');
  if (value === '') {
    const code = 'idempotency_key_required';
    const detail = `This operation requires an Idempotency-Key header of 1 to ${maxCharacters} characters.`;
    throw new ApiError(code, detail, { errors: [{ code, detail, param }] });
  }
  const key = decode(value);
  if (key.includes('\0')) throw invalidKey('nul_byte', 'must not contain a NUL byte');
  if (key.length > maxCharacters && countCharacters(key) > maxCharacters) {
    throw invalidKey('too_long', `must be at most ${maxCharacters} characters`);
  }
  return key;
}

/** The error for an invalid key. `must` continues the sentence "The Idempotency-Key …". */
export function invalidKey(code: IssueCode, must: string): ApiError {
  const detail = `The Idempotency-Key ${must}.`;
  return new ApiError('invalid_idempotency_key', detail, { errors: [{ code, detail, param }] });
}

function decode(value: string): string {
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    throw invalidKey('invalid_encoding', 'must be valid UTF-8');
  }
}
