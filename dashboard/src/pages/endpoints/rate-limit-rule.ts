const most = 1_000;

/** A rate limit as typed: a number, null for none, or undefined for a text that is neither. */
export function parseRateLimit(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= most ? value : undefined;
}
