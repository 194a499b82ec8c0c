import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { validationFailed } from './errors.js';

/** The only use that a cursor is valid for: one list of one account under one filter. */
export interface CursorScope {
  readonly list: string;
  readonly account: string;
  /** The filter as the client sent it. Another filter makes the cursor invalid; another `limit` does not. */
  readonly filter?: string | undefined;
}

/** The first key seals; every key opens, so a cursor outlives a change of keys. */
export type CursorKeys = readonly [Buffer, ...Buffer[]];

const tagLength = 16;
const maxLength = 512;

/**
 * Makes a cursor that marks where the next page begins: opaque, signed, bound to its scope.
 * It holds the sort key of the last row seen, so inserted and deleted rows do not disturb it.
 * @param position the sort key of the page's last row; at most 300 characters in total
 */
export function sealCursor(
  [newest]: CursorKeys,
  scope: CursorScope,
  position: readonly string[],
): string {
  const claims = { v: 1, l: scope.list, f: scopeHash(scope), k: position };
  const payload = Buffer.from(JSON.stringify(claims));
  return Buffer.concat([payload, tagOf(newest, payload)]).toString('base64url');
}

/**
 * Opens a cursor that {@link sealCursor} made for the same scope, under any of `keys`.
 * @returns the sealed position
 * @throws DomainError validation_failed (`invalid_cursor`) for any other text
 */
export function openCursor(
  keys: CursorKeys,
  scope: CursorScope,
  cursor: string,
): readonly string[] {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(0, -tagLength);
  const valid =
    cursor.length <= maxLength &&
    payload.length > 0 &&
    // Node's decoder skips characters outside base64url. Accept only the exact text that sealCursor made.
    bytes.toString('base64url') === cursor &&
    keys.some((key) => timingSafeEqual(bytes.subarray(-tagLength), tagOf(key, payload)));
  if (!valid) throw invalidCursor();
  const claims = JSON.parse(payload.toString()) as { v: number; l: string; f: string; k: string[] };
  if (claims.v !== 1 || claims.l !== scope.list || claims.f !== scopeHash(scope)) {
    throw invalidCursor();
  }
  return claims.k;
}

function tagOf(key: Buffer, payload: Buffer): Buffer {
  return createHmac('sha256', key).update(payload).digest().subarray(0, tagLength);
}

function scopeHash({ account, filter }: CursorScope): string {
  const text = JSON.stringify([account, filter ?? null]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

function invalidCursor(): Error {
  return validationFailed([{ code: 'invalid_cursor', detail: 'Invalid cursor.', param: 'cursor' }]);
}
