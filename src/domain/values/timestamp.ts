const format = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** Formats a timestamp for people, in UTC: "31 December 2026 at 11:00 UTC". */
export function formatTimestamp(timestamp: Date): string {
  return `${format.format(timestamp)} UTC`;
}
