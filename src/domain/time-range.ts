import { validationFailed } from './errors.js';
import { type IdPrefix, smallestId } from './id.js';

/** A range of time; an absent end is open. */
export interface TimeRange {
  readonly since?: Date | null | undefined;
  /** Exclusive. */
  readonly until?: Date | null | undefined;
}

/** @throws DomainError validation_failed when the range holds no instant */
export function checkRange({ since, until }: TimeRange): void {
  if (since == null || until == null || since < until) return;
  const detail = 'Must be later than `since`.';
  throw validationFailed([{ code: 'invalid_value', detail, param: 'until' }]);
}

/**
 * Returns the ids made within a range: those from `from` on, below `before`.
 * @param cursor an id; only those below it are wanted
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

/** Ids hold no time before 1970, and eight digits of time last until the year 8888. */
function boundOf(prefix: IdPrefix, at: Date): string {
  return smallestId(prefix, new Date(Math.min(Math.max(at.getTime(), 0), 62 ** 8 - 1)));
}
