import { setTimeout as pause } from 'node:timers/promises';

/**
 * Repeats `probe` until it does not throw, and returns its value. The limit only decides how soon a failure is
 * reported: it is long, so that no busy machine fails a test.
 * @throws Error after `limitMs`, with `what` and the last error of `probe`
 */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  what: string,
  limitMs = 180_000,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (let wait = 5; ; wait = Math.min(wait * 1.5, 200)) {
    try {
      return await probe();
    } catch (error) {
      if (performance.now() > end) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`Timed out after ${limitMs} ms: ${what} (${reason})`, { cause: error });
      }
      await pause(wait);
    }
  }
}
