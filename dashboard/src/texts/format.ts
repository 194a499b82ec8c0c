/*
 * Numbers and times in the reader's language and in the format of the region. Pure, so that tests run it
 * without a browser.
 */
import { locale } from './language.js';

const numbers = new Intl.NumberFormat(locale);
const percentages = new Intl.NumberFormat(locale, {
  style: 'percent',
  maximumFractionDigits: 1,
});

const local = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const utc = new Intl.DateTimeFormat(locale, {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
});
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
const dayAndClock = new Intl.DateTimeFormat(locale, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const utcDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The units of durations, each with its length in milliseconds. */
const units = [
  ['day', day],
  ['hour', hour],
  ['minute', minute],
  ['second', second],
] as const;

/** A number with separators, such as "12,345". */
export function formatNumber(value: number): string {
  return numbers.format(value);
}

/** A share of 0 to 1, such as "99.5%". Only 1 is "100%": no failure is rounded away. */
export function formatShare(share: number): string {
  return percentages.format(share < 1 ? Math.min(share, 0.999) : share);
}

/** A duration in whole units, such as "3 minutes". Less than a second is "0 seconds". */
export function formatWait(seconds: number): string {
  const [unit, length] = unitOf(seconds * second);
  const value = Math.trunc((seconds * second) / length);
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** Date and time in the reader's zone. */
export function formatInstant(time: number): string {
  return local.format(time);
}

/** Date and time in UTC, without the name of the zone. */
export function formatUtc(time: number): string {
  return utc.format(time);
}

/** The time of day, with the date if it is not today. In the reader's zone. */
export function formatShort(time: number, now: number): string {
  const today = new Date(time).toDateString() === new Date(now).toDateString();
  return (today ? clock : dayAndClock).format(time);
}

/** Day and time of day, without the year. In the reader's zone. */
export function formatDayAndClock(time: number): string {
  return dayAndClock.format(time);
}

/** The date in UTC. */
export function formatDay(time: number): string {
  return utcDay.format(time);
}

/** A time relative to now, such as "3 minutes ago". Less than ten seconds away is "now". */
export function formatRelative(time: number, now: number): string {
  const distance = time - now;
  if (Math.abs(distance) < 10 * second) return relative.format(0, 'second');
  const [unit, length] = unitOf(Math.abs(distance));
  return relative.format(Math.trunc(distance / length), unit);
}

/** Milliseconds until the text of `formatRelative` may change. */
export function pauseUntilChange(time: number, now: number): number {
  const distance = Math.abs(now - time);
  if (distance < minute) return 10 * second;
  return distance < hour ? 30 * second : 10 * minute;
}

/** The largest unit that fits into a duration of milliseconds; seconds for less than one. */
function unitOf(duration: number) {
  return units.find(([, length]) => duration >= length) ?? units[3];
}
