const maxPerSecond = 1_000;

/** Reads a typed rate limit: a number, null for none, undefined for anything else. */
export function parseRateLimit(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= maxPerSecond ? value : undefined;
}

const maxReasonLength = 200;

/** The service's rule: an e-mail address has a character before and after its @, even percent-encoded. */
const address = /\S(?:@|%40)\S/i;

/** Why a typed reason cannot be sent; undefined if it can, or if it is empty. */
export function reasonProblem(typed: string): 'tooLong' | 'address' | undefined {
  const reason = typed.trim();
  if (Array.from(reason).length > maxReasonLength) return 'tooLong';
  return address.test(reason) ? 'address' : undefined;
}
