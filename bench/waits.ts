import { setTimeout as pause } from 'node:timers/promises';
import type { Actor } from './actor.js';
import type { Published } from './actors/publisher.js';
import type { Arrivals } from './actors/receiver.js';
import { quantile } from './statistics.js';

/** Times in ms; one figure per round. */
export interface Waits {
  readonly p50: number[];
  readonly p99: number[];
}

const limitMs = 60_000;
const pollMs = 50;

export function noWaits(): Waits {
  return { p50: [], p99: [] };
}

/** Adds the quantiles of one round. */
export function addWaits(into: Waits, times: readonly number[]): void {
  into.p50.push(quantile(times, 0.5));
  into.p99.push(quantile(times, 0.99));
}

/** Publishes for a while, and adds the times from acceptance to arrival, once all events arrived. */
export async function measureArrivals(
  { publisher, receiver }: { readonly publisher: Actor; readonly receiver: Actor },
  command: { readonly forMs: number; readonly perSecond: number },
  into: Waits,
): Promise<void> {
  const { accepted } = await publisher.ask<Published>(command);
  const arrivals: Record<string, number> = {};
  const startedAt = performance.now();
  for (;;) {
    Object.assign(arrivals, (await receiver.ask<Arrivals>({})).arrivals);
    if (Object.keys(accepted).every((id) => arrivals[id] !== undefined)) break;
    if (performance.now() - startedAt > limitMs)
      throw new Error(`Deliveries did not arrive within ${limitMs} ms.`);
    await pause(pollMs);
  }
  addWaits(into, waitsOf(accepted, arrivals));
}

/** The ms until each event arrived. @throws Error when one did not */
export function waitsOf(from: Published['sent'], arrivals: Arrivals['arrivals']): number[] {
  return Object.entries(from).map(([id, at]) => {
    const arrived = arrivals[id];
    if (arrived === undefined) throw new Error(`Event ${id} did not arrive.`);
    // The event may arrive before the publisher reads the response.
    return Math.max(0, arrived - at);
  });
}
