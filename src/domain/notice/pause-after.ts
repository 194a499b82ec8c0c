const firstMs = 5_000;
const longestMs = 86_400_000;
const jitter = 0.1;

/**
 * How long a notice waits after so many failed attempts, in milliseconds: 5 seconds at first, twice
 * as long each time, a day at most, a tenth more or less. It is never given up.
 * @param attempts failed so far, 1 or more
 * @param random at least 0, below 1
 */
export function pauseAfter(attempts: number, random: number): number {
  const pause = Math.min(firstMs * 2 ** (attempts - 1), longestMs);
  return Math.round(pause * (1 + jitter * (2 * random - 1)));
}
