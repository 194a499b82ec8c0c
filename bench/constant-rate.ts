import { setTimeout as pause } from 'node:timers/promises';

/**
 * Begins `work` so many times a second for `forMs` milliseconds, however long each takes, and waits for
 * the last: what is slow delays nothing that comes after it.
 * @throws what the first of them failed with, and begins no more then
 * @param work gets the moment at which it should have begun, as `performance.now()` counts
 */
export async function runAtConstantRate(
  perSecond: number,
  forMs: number,
  work: (dueAt: number) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for (let sent = 0; elapsed() < forMs && failures.length === 0;) {
    for (; sent < (elapsed() / 1_000) * perSecond; sent += 1) {
      const each = work(startedAt + (sent / perSecond) * 1_000)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => {
          running.delete(each);
        });
      running.add(each);
    }
    await pause(1);
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
}
