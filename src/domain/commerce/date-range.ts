import type { Issue } from '../errors.js';

/** A day, or an instant with seconds and a zone (RFC 3339 §5.6); a T, a Z may be lower case. */
const pattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d)))?$/;

const minuteMs = 60_000;

/**
 * Reads one end of a range, which belongs to the range: a day alone stands for the whole day in UTC,
 * so `to` is its last millisecond. Finer than milliseconds, which rows do not have, is rounded inwards.
 * @returns undefined for what is neither, or names a day or an hour that does not exist
 */
export function parseRangeEnd(text: string, end: 'from' | 'to'): Date | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0] = match.slice(1, 4).map(Number);
  const start = new Date(0);
  // Unlike Date.UTC it does not take the years before 100 for those of the last century.
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

/** A range of time as a list's filter: `name` is that of its parameters before `_from` and `_to`. */
export interface DateRangeInput {
  readonly name: string;
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
}

/** Both ends belong to it; an end that was not given is undefined. */
export interface DateRange {
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

/** Reads a range; what it is refused for is put to `faults`. */
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
