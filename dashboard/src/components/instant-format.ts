import { locale } from '../texts/language.js';

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

/** Each unit is used from its own length on. */
const units = [
  ['day', day],
  ['hour', hour],
  ['minute', minute],
  ['second', second],
] as const;

/** Date and time in the reader's zone. */
export function formatInstant(time: number): string {
  return local.format(time);
}

/** Date and time in UTC, without the name of the zone. */
export function formatUtc(time: number): string {
  return utc.format(time);
}

/** The time of day, with the date for one before today. In the reader's zone. */
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

/** Such as "3 minutes ago". A time within the last ten seconds is "now". */
export function formatRelative(time: number, now: number): string {
  const distance = time - now;
  if (Math.abs(distance) < 10 * second) return relative.format(0, 'second');
  const [unit, length] = units.find(([, each]) => Math.abs(distance) >= each) ?? units[3];
  return relative.format(Math.trunc(distance / length), unit);
}

/** Milliseconds until `formatRelative` may say something else. */
export function pauseUntilChange(time: number, now: number): number {
  const distance = Math.abs(now - time);
  if (distance < minute) return 10 * second;
  return distance < hour ? 30 * second : 10 * minute;
}
