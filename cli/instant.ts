import { exitCodes, Failure } from './failure.js';

const units: Readonly<Record<string, number>> = { s: 1e3, m: 6e4, h: 36e5, d: 864e5 };

/** Turns `10m` or an RFC 3339 time into RFC 3339; null for undefined. @throws Failure 2 */
export function instantOf(text: string | undefined, now = Date.now()): string | null {
  if (text === undefined) return null;
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const at = count === undefined ? Date.parse(text) : now - Number(count) * (units[unit] ?? 0);
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  throw new Failure(
    `Not a time: ${JSON.stringify(text)}. Write 10m, 2h, 7d or 2026-11-21T09:00:00Z.`,
    exitCodes.usage,
  );
}
