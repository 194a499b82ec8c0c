const firstMs = 100;
const longestMs = 5_000;

/**
 * Milliseconds until the next try to connect: doubling up to 5 s, of which up to a half falls to chance.
 * @param failures tries since the last frame
 * @param chance 0 to 1
 */
export function pauseBeforeTry(failures: number, chance: number): number {
  const whole = Math.min(longestMs, firstMs * 2 ** failures);
  return whole - (whole / 2) * chance;
}
