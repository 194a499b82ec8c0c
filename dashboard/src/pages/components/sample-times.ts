const minuteMs = 60_000;
/** Samples are as old as the page is new, so that relative times read well. */
const now = Date.now();

/** The time so many minutes before the page was opened. Negative for one after it. */
export function minutesAgo(minutes: number): string {
  return new Date(now - minutes * minuteMs).toISOString();
}
