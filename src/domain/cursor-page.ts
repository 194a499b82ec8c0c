import { type CursorScope, openCursor, sealCursor } from './cursor.js';
import { validationFailed } from './errors.js';
import type { Read } from './tx.js';

/** The page of a list that a client requests; `status` is the list's filter. */
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

const maxLimit = 100;

/**
 * Returns the id behind which the requested page begins; undefined for the first page.
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
 * Makes a page of rows. The caller reads one row more than `limit`, which shows that another page follows.
 * @param bound the last id that a search has looked at, if there are others behind it
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
