const firstDelayMs = 5_000;
const maxDelayMs = 86_400_000;
const jitter = 0.1;

/**
 * How long a notice waits after so many failed attempts, in milliseconds: 5 seconds at first, twice
 * as long each time, a day at most, a tenth more or less. It is never given up.
 * @param attempts failed so far, 1 or more
 * @param random at least 0, below 1
 */
export function retryDelayMs(attempts: number, random: number): number {
  const delayMs = Math.min(firstDelayMs * 2 ** (attempts - 1), maxDelayMs);
  return Math.round(delayMs * (1 + jitter * (2 * random - 1)));
}
