import type { RetryAfter } from '../../domain/delivery/outcome.js';
import { trimmed } from './header-fields.js';

const maxDelayMs = 24 * 3_600_000;
const seconds = /^\d+$/;
/** The preferred and the two obsolete forms of an HTTP date (RFC 9110 §5.6.7). */
const imfOrRfc850 =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8} GMT$/;
const asctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/;

/**
 * Parses `Retry-After` as a delay (RFC 9110 §10.2.3): seconds, or an HTTP date relative to `nowMs`.
 * At most 24 hours. Undefined for other values and for past dates.
 */
export function parseRetryAfter(value: string, nowMs: number): RetryAfter | undefined {
  const text = trimmed(value);
  const delayMs = seconds.test(text) ? Number(text) * 1_000 : dateOf(text) - nowMs;
  if (Number.isNaN(delayMs) || delayMs < 0) return undefined;
  return { delayMs: Math.min(delayMs, maxDelayMs) };
}

function dateOf(text: string): number {
  if (imfOrRfc850.test(text)) return Date.parse(text);
  return asctime.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}
