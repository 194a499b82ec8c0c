import type { Issue } from '../errors.js';

/** A day, or an instant with seconds and a zone (RFC 3339 §5.6); T and Z may be lower case. */
const pattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d)))?$/;

const minuteMs = 60_000;

/**
 * Reads one end of a range; the range includes it. A day stands for the whole day in UTC, so `to` is its
 * last millisecond. Rows have whole milliseconds, so finer parts are rounded towards the inside.
 * @returns undefined for any other text, and for a day or a time that does not exist
 */
export function parseRangeEnd(text: string, end: 'from' | 'to'): Date | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;

  const [year = 0, month = 0, day = 0] = match.slice(1, 4).map(Number);
  const start = new Date(0);

  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  start.setUTCFullYear(year, month - 1, day);
  if (start.getUTCMonth() !== month - 1 || start.getUTCDate() !== day) return undefined;
  if (match[4] === undefined) return new Date(start.getTime() + (end === 'to' ? 86_399_999 : 0));

  const [hour = 0, minute = 0, second = 0] = match.slice(4, 7).map(Number);
  const [offsetHours = 0, offsetMinutes = 0] = match.slice(9, 11).map((part) => Number(part || 0));
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59)
    return undefined;

  const nanoseconds = Number((match[7] ?? '').padEnd(9, '0'));
  const milliseconds = nanoseconds / 1_000_000;
  const offsetMs = (match[8] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * minuteMs;
  return new Date(
    start.getTime() +
      (hour * 60 + minute) * minuteMs +
      second * 1_000 +
      (end === 'to' ? Math.floor(milliseconds) : Math.ceil(milliseconds)) -
      offsetMs,
  );
}

/** A range of time that filters a list; its parameters are `name` with `_from` and `_to`. */
export interface DateRangeInput {
  readonly name: string;
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
}

/** A range that includes both ends; undefined means that it has no limit there. */
export interface DateRange {
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

/** Reads a range and adds its problems to `issues`. */
export function parseRange({ name, from, to }: DateRangeInput, issues: Issue[]): DateRange {
  const issuesBefore = issues.length;
  const parse = (end: 'from' | 'to', text: string | null | undefined): Date | undefined => {
    if (text == null) return undefined;
    const instant = parseRangeEnd(text, end);
    if (instant) return instant;
    const detail = 'Must be a date or a date-time of RFC 3339 that exists, such as 2026-11-20.';
    issues.push({ code: 'invalid_format', detail, param: `${name}_${end}` });
    return undefined;
  };

  const range = { from: parse('from', from), to: parse('to', to) };
  if (issues.length === issuesBefore && range.from && range.to && range.from > range.to) {
    const detail = `Must not be after ${name}_to.`;
    issues.push({ code: 'invalid_value', detail, param: `${name}_from` });
  }

  return range;
}

/** Returns the range, or undefined if it has no limit at all. */
export function unlessEmpty(range: DateRange): DateRange | undefined {
  return (range.from ?? range.to) ? range : undefined;
}
