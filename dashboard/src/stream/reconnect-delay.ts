const firstMs = 100;
const longestMs = 5_000;

/**
 * Milliseconds until the next try to connect: doubling up to 5 s, less a jitter of up to a half.
 * @param failures tries since the last frame
 * @param random 0 to 1
 */
export function reconnectDelay(failures: number, random: number): number {
  const whole = Math.min(longestMs, firstMs * 2 ** failures);
  return whole - (whole / 2) * random;
}
