import { setTimeout as pause } from 'node:timers/promises';
import { fetch } from 'undici';

const pollIntervalMs = 5;
const limitMs = 60_000;

/**
 * Resolves at the first 200 of `/readyz` on `port` of this machine, at most 5 ms late.
 * @param alive throws when the process has ended
 * @throws Error after 60 s
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
    if (performance.now() - startedAt > limitMs)
      throw new Error(`Timed out after ${limitMs} ms waiting for /readyz on port ${port}.`);
    await pause(pollIntervalMs);
  }
}
