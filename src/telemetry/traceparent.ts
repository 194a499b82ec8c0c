/** Version 00, with ids that are not zero (W3C Trace Context §3.2). Later versions may append fields. */
const pattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/;
const length = 55;

/**
 * Reads a `traceparent` header (W3C Trace Context §3.2).
 * @returns the 55 characters of version 00; undefined for a header that must be ignored
 */
export function parseTraceparent(
  header: string | readonly string[] | undefined,
): string | undefined {
  if (typeof header !== 'string' || !pattern.test(header)) return undefined;
  if (header.startsWith('00') && header.length !== length) return undefined;
  return `00${header.slice(2, length)}`;
}

/** The same trace, not to be recorded. */
export function unsampled(traceparent: string): string {
  return `${traceparent.slice(0, -2)}00`;
}

/** Whether the trace is recorded: the lowest flag (W3C Trace Context §3.2.2.5). */
export function isSampled(traceparent: string): boolean {
  return (parseInt(traceparent.slice(-1), 16) & 1) === 1;
}
