const firstDelayMs = 5_000;
const maxDelayMs = 86_400_000;
const jitter = 0.1;

/**
 * Returns how long a notice waits after its last failed attempt, in milliseconds. The delay begins with
 * 5 seconds and doubles with each attempt up to one day, with ±10 % of jitter. Retries never end.
 * @param attempts how many have failed, at least 1
 * @param random at least 0, below 1
 */
export function retryDelayMs(attempts: number, random: number): number {
  const delayMs = Math.min(firstDelayMs * 2 ** (attempts - 1), maxDelayMs);
  return Math.round(delayMs * (1 + jitter * (2 * random - 1)));
}
