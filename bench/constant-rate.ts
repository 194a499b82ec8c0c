import { setTimeout as pause } from 'node:timers/promises';

/**
 * Starts `work` at a constant rate for `forMs` and waits for all of them. A slow one does not delay
 * those after it (no coordinated omission).
 * @param work gets the time at which it was due, on the clock of `performance.now()`
 * @throws the first error of `work`; after it, no more work starts
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
      const task = work(startedAt + (sent / perSecond) * 1_000)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => {
          running.delete(task);
        });
      running.add(task);
    }

    await pause(1);
  }

  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
}
