import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { validationFailed } from './errors.js';

/** What a cursor is good for: one list of one account under one filter. */
export interface CursorScope {
  readonly list: string;
  readonly account: string;
  /** The filter as given; a different one refuses the cursor, a different `limit` does not (H36). */
  readonly filter?: string | undefined;
}

/** The first seals, each of them opens: a cursor outlives a change of keys (H35). */
export type CursorKeys = readonly [Buffer, ...Buffer[]];

const tagLength = 16;
const maxLength = 512;

/**
 * Seals the place after which a list goes on: opaque, signed, bound to its scope (H34).
 * It holds the sort key of the last row seen, so rows that come and go do not disturb it.
 * @param position the sort key of the last row of the page, at most 300 characters in all
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
 * @throws DomainError validation_failed `invalid_cursor` for everything else (H36)
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
    // Node's decoder skips what is not base64url; only the one spelling we made is ours.
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
