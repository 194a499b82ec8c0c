const format = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** An instant for people, in UTC, such as "31 December 2026 at 11:00 UTC". */
export function formatInstant(instant: Date): string {
  return `${format.format(instant)} UTC`;
}
