/**
 * Parses a date-time with a zone, whose form the caller has checked.
 * @returns undefined for a day or a time that does not exist: JavaScript would take it for a later one
 */
export function parseTimestamp(text: string): Date | undefined {
  const [day = '', time = ''] = text.split('T');
  const start = new Date(`${day}T00:00:00Z`);
  const at = new Date(text);
  if (Number.isNaN(start.getTime()) || Number.isNaN(at.getTime())) return undefined;
  return start.toISOString().startsWith(day) && !time.startsWith('24') ? at : undefined;
}

/** Formats a timestamp for people, in UTC: "31 December 2026 at 11:00 UTC". */
export function formatTimestamp(timestamp: Date): string {
  return `${format.format(timestamp)} UTC`;
}

const format = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});
