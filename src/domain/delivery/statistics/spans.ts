import { validationFailed } from '../../errors.js';
import { databaseTime } from '../../rows.js';
import { checkRange } from '../../time-range.js';
import type { Read } from '../../tx.js';
import type { Span } from './delivery-statistics.entity.js';

/** A range that statistics are asked of. */
export interface SpanQuery {
  /** Start of the range, rounded down to the hour or day. */
  readonly since: Date;
  /** Defaults to now. */
  readonly until?: Date | null | undefined;
  readonly by: Span;
}

/** The hours or days of a range. */
export interface Spans {
  readonly count: number;
  /** When one of them begins; the first is 0. */
  readonly startOf: (place: number) => Date;
  /** The place of the one that holds an instant. */
  readonly placeOf: (instant: Date) => number;
}

const spanMs = { hour: 3_600_000, day: 86_400_000 } as const;

/** One answer has at most this many hours or days. */
const maxSpans = { hour: 31 * 24, day: 400 } as const;

/**
 * Returns the hours or days that a range touches.
 * @throws DomainError validation_failed for a range that is empty, or longer than 31 days by the hour
 *   or 400 days by the day
 */
export async function readSpans(read: Read, { since, until, by }: SpanQuery): Promise<Spans> {
  const end = until ?? (await databaseTime(read));
  checkRange({ since, until: end });
  const placeOf = (instant: Date) => Math.floor(instant.getTime() / spanMs[by]);
  const first = placeOf(since);
  const count = Math.ceil(end.getTime() / spanMs[by]) - first;
  if (count > maxSpans[by]) {
    const detail = `Must be at most ${maxSpans[by]} ${by}s before \`until\`.`;
    throw validationFailed([{ code: 'out_of_range', detail, param: 'since' }]);
  }
  return {
    count,
    startOf: (place) => new Date((first + place) * spanMs[by]),
    placeOf: (instant) => placeOf(instant) - first,
  };
}
