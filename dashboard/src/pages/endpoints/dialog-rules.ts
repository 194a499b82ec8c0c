const maxPerSecond = 1_000;

/** A rate limit as typed: a number, null for none, or undefined for a text that is neither. */
export function parseRateLimit(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= maxPerSecond ? value : undefined;
}

const maxReasonLength = 200;

/** As the service: an e-mail address has a sign before and after it, also percent-encoded. */
const address = /\S(?:@|%40)\S/i;

/** What keeps a typed reason from being sent; undefined for one that can be, or for none. */
export function reasonProblem(typed: string): 'tooLong' | 'address' | undefined {
  const reason = typed.trim();
  if (Array.from(reason).length > maxReasonLength) return 'tooLong';
  return address.test(reason) ? 'address' : undefined;
}
