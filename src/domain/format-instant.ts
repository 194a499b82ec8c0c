const format = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** Formats an instant for people, in UTC: "31 December 2026 at 11:00 UTC". */
export function formatInstant(instant: Date): string {
  return `${format.format(instant)} UTC`;
}
