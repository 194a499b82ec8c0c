import { setTimeout as pause } from 'node:timers/promises';
import { fetch } from 'undici';

const pollIntervalMs = 5;
const limitMs = 60_000;

/**
 * Resolves at the first 200 of `/readyz` on `port` of this machine, 5 ms late at most.
 * @param alive throws when there is nothing to wait for any more
 * @throws Error after a minute
 */
export async function waitUntilReady(
  port: number,
  alive: () => void = () => undefined,
): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const status = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.status,
      () => undefined,
    );
    if (status === 200) return;
    alive();
    if (performance.now() - startedAt > limitMs) throw new Error(`nobody is ready on port ${port}`);
    await pause(pollIntervalMs);
  }
}
