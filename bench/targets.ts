import type { BenchService } from './bench-service.js';
import type { Target } from './engine.js';
import { startActor } from './actor.js';

/** The receiver that responds at once, which measures the sender. */
export function fastTarget({ receiver, receiverOrigin }: BenchService): Target {
  const { name, pid } = receiver;
  return { name, pid, origin: receiverOrigin, connections: 50 };
}

/** Delays of slow receivers in ms: 90 % as a network has, 1 % a whole second. */
const delays = [
  [0.9, 20, 60],
  [0.09, 100, 300],
  [0.01, 1_000, 1_000],
] as const;

/** One process with realistic delays. The sender has as many connections as requests in flight. */
export async function slowTarget(
  service: BenchService,
): Promise<Target & { readonly end: () => Promise<void> }> {
  const actor = await startActor('receiver', { ...service.certificate, delays });
  const { pid, port } = actor;
  const origin = `https://localhost:${port}`;
  return { name: 'slow receivers', pid, origin, connections: 200, end: () => actor.end() };
}
