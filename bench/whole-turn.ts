import { setTimeout as pause } from 'node:timers/promises';
import type { BenchService } from './bench-service.js';
import type { Arrivals } from './actors/receiver.js';
import type { Published } from './actors/publisher.js';
import type { Actor } from './actor.js';
import { type ProcessorCosts, ProcessorMeter } from './engine-cost.js';
import { waitsOf } from './waits.js';

const limitMs = 120_000;
const pollMs = 50;

/** The service under load, its client and its receiver. */
export interface Parties {
  readonly service: BenchService;
  readonly publisher: Actor;
  readonly receiver: Actor;
  readonly pids: Readonly<Record<string, number>>;
  /** Resolves when the worker has recorded all that it took, if it keeps no pending delivery until then. */
  readonly recorded?: () => Promise<unknown>;
}

/** What one load of some seconds gave. */
export interface Turn {
  readonly count: number;
  readonly perSecond: number;
  /** Pending deliveries in the middle, and when the last request had its response. */
  readonly pending: { readonly middle: number; readonly end: number };
  /** Processor time of an event in µs, by process. */
  readonly costs: ProcessorCosts;
  /** ms to the arrival of each event. */
  readonly sinceSent: readonly number[];
  readonly sinceAccepted: readonly number[];
}

/** Publishes for a while, waits until all is delivered and recorded, and measures the processes. */
export async function runTurn(
  { service, publisher, receiver, pids, recorded }: Parties,
  command: { readonly forMs: number },
): Promise<Turn> {
  const meter = new ProcessorMeter(pids);
  const startedAt = performance.now();
  const { published, pending } = await meter.during(1, async () => {
    const [answered, middle] = await Promise.all([
      publisher.ask<Published>(command),
      pause(command.forMs / 2).then(() => countPending(service)),
    ]);
    const end = await countPending(service);
    await waitUntilGone(service);
    await recorded?.();
    return { published: answered, pending: { middle, end } };
  });

  const elapsedMs = performance.now() - startedAt;
  const { arrivals } = await receiver.ask<Arrivals>({});
  const { sent, accepted } = published;
  const count = Object.keys(accepted).length;
  const costs = Object.entries(meter.costs()).map(([name, used]) => [name, used / count] as const);
  return {
    count,
    pending,
    perSecond: (count / elapsedMs) * 1_000,
    costs: Object.fromEntries(costs),
    sinceSent: waitsOf(sent, arrivals),
    sinceAccepted: waitsOf(accepted, arrivals),
  };
}

async function countPending({ query }: BenchService): Promise<number> {
  const [row] = await query<{ count: number }>(
    'select count(*)::int as count from pending_delivery',
  );
  return row?.count ?? Number.NaN;
}

async function waitUntilGone({ query }: BenchService): Promise<void> {
  const startedAt = performance.now();
  while ((await query('select 1 from pending_delivery limit 1')).length > 0) {
    if (performance.now() - startedAt > limitMs)
      throw new Error(`Deliveries did not end within ${limitMs} ms.`);
    await pause(pollMs);
  }
}
