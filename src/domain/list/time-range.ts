import { validationFailed } from '../errors.js';
import { type IdPrefix, smallestId } from '../values/id.js';

/** A range of time; an absent end is open. */
export interface TimeRange {
  readonly since?: Date | null | undefined;
  /** Exclusive. */
  readonly until?: Date | null | undefined;
}

/**
 * Checks that the range is not empty.
 * @throws DomainError validation_failed
 */
export function checkRange({ since, until }: TimeRange): void {
  if (since == null || until == null || since < until) return;
  const detail = 'Must be later than `since`.';
  throw validationFailed([{ code: 'invalid_value', detail, param: 'until' }]);
}

/**
 * Returns the bounds of ids made within a range: `from` is inclusive, `before` exclusive.
 * @param cursor an id; only ids below it are wanted
 */
export function idRange(
  prefix: IdPrefix,
  { since, until }: TimeRange,
  cursor?: string,
): { readonly from: string; readonly before: string } {
  const end = until == null ? `${prefix}_~` : boundOf(prefix, until);
  return {
    from: since == null ? `${prefix}_` : boundOf(prefix, since),
    before: cursor !== undefined && cursor < end ? cursor : end,
  };
}

/** Ids have no time before 1970, and their eight digits of time last until the year 8888. */
function boundOf(prefix: IdPrefix, at: Date): string {
  return smallestId(prefix, new Date(Math.min(Math.max(at.getTime(), 0), 62 ** 8 - 1)));
}

/**
 * In SQL: the smallest id of the last 30 days, which are the rows that lists show, in base62 as {@link smallestId}
 * writes it. This bound lets the planner skip older partitions.
 */
export const oldestListedId = (prefix: 'evt' | 'whd') => `(
  select '${prefix}_' || string_agg(
    substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
           (t.ms / (62 ^ p.place)::bigint % 62)::int + 1, 1), '' order by p.place desc)
    from (select (extract(epoch from now() - interval '30 days') * 1000)::bigint as ms) t
    cross join generate_series(0, 7) p (place))`;
