// Pages of lists. A cursor says where the next page begins by the sort key of the last row seen, not by a number of
// rows: so rows that are inserted or deleted meanwhile make no row appear twice or get lost. Cursors are signed and
// valid only for the list, account and filter that they were made for.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { validationFailed } from '../errors.js';
import type { SigningKeys } from '../transaction/rules.js';
import type { Read } from '../transaction/tx.js';

/** The page that a client requests; `status` is the filter of the list. */
export interface PageRequest<Status extends string = never> {
  /** 1 to 100. */
  readonly limit: number;
  readonly cursor?: string | null | undefined;
  readonly status?: Status | null | undefined;
}

/** One page of a list. */
export interface Page<Item> {
  readonly data: Item[];
  readonly page: { readonly hasMore: boolean; readonly nextCursor: string | null };
}

/** What a cursor is valid for: one list of one account with one filter. */
export interface CursorScope {
  readonly list: string;
  readonly account: string;
  /** The filter as the client sent it. Another filter makes the cursor invalid; another `limit` does not. */
  readonly filter?: string | undefined;
}

const maxLimit = 100;

/**
 * Returns the id after which the requested page begins; undefined for the first page.
 * @throws DomainError validation_failed for a limit outside 1 to 100 or an invalid cursor
 */
export function pageStart(
  read: Read,
  scope: CursorScope,
  { limit, cursor }: PageRequest<string>,
): string | undefined {
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    const detail = `Must be an integer from 1 to ${maxLimit}.`;
    throw validationFailed([{ code: 'out_of_range', detail, param: 'limit' }]);
  }
  return cursor == null ? undefined : openCursor(read.rules.cursorKeys, scope, cursor)[0];
}

/**
 * Returns the page of these rows. The caller reads one row more than `limit`, which shows that another page follows.
 * @param bound the last id that a search has looked at, if there are others after it
 */
export function pageOf<Item extends { readonly id: string }>(
  read: Read,
  scope: CursorScope,
  limit: number,
  rows: readonly Item[],
  bound?: string | null,
): Page<Item> {
  const data = rows.slice(0, limit);
  const end = rows.length > limit ? data.at(-1)?.id : bound;
  const nextCursor = end == null ? null : sealCursor(read.rules.cursorKeys, scope, [end]);
  return { data, page: { hasMore: nextCursor !== null, nextCursor } };
}

const tagLength = 16;
const maxCursorLength = 512;

/**
 * Returns the cursor of the next page: opaque, signed and bound to its scope.
 * @param position the sort key of the last row of the page; at most 300 characters in total
 */
export function sealCursor(
  [newest]: SigningKeys,
  scope: CursorScope,
  position: readonly string[],
): string {
  const claims = { v: 1, l: scope.list, f: scopeHash(scope), k: position };
  const payload = Buffer.from(JSON.stringify(claims));
  return Buffer.concat([payload, tagOf(newest, payload)]).toString('base64url');
}

/**
 * Opens a cursor that {@link sealCursor} made for the same scope with any of `keys`.
 * @returns the position in it
 * @throws DomainError validation_failed (`invalid_cursor`) for any other text
 */
export function openCursor(
  keys: SigningKeys,
  scope: CursorScope,
  cursor: string,
): readonly string[] {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(0, -tagLength);
  const valid =
    cursor.length <= maxCursorLength &&
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
