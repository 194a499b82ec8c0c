import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until `probe` stops throwing and returns its value.
 * @throws the last error of `probe`, with `what` in front, after `limitMs`
 */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  what: string,
  limitMs = 15_000,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (let wait = 5; ; wait = Math.min(wait * 1.5, 200)) {
    try {
      return await probe();
    } catch (error) {
      if (performance.now() > end) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`not within ${limitMs} ms: ${what} (${reason})`, { cause: error });
      }
      await pause(wait);
    }
  }
}
