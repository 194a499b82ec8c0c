import { setTimeout as pause } from 'node:timers/promises';
import {
  createBenchAccount,
  createBenchEndpoints,
  createBenchToken,
  eventType,
} from './fixtures.js';
import type { BenchService } from './bench-service.js';
import { bodyOf, insertDue } from './due-deliveries.js';
import { runAtConstantRate } from './constant-rate.js';
import type { Arrivals } from './actors/receiver.js';
import type { Published } from './actors/publisher.js';
import { startActor } from './actor.js';
import { quantile } from './statistics.js';

/** From acceptance to arrival in milliseconds, one figure a round. */
export interface Waits {
  readonly p50: number[];
  readonly p99: number[];
}

/** An account alone, and beside one whose endpoints hang. */
export interface NeighbourFigures {
  readonly hangingEndpoints: number;
  /** Deliveries a second to them, and to the endpoint of the other account. */
  readonly hangingPerSecond: number;
  readonly perSecond: number;
  readonly alone: Waits;
  readonly beside: Waits;
}

const hangingEndpoints = 1_000;
const hangingPerSecond = 100;
const perSecond = 50;
/** They hang for longer than an attempt may take. */
const hangMs = 3_600_000;
const settleMs = 2_000;
const limitMs = 60_000;
const pollMs = 50;
/** Pending deliveries are inserted so many times a second. */
const batchesPerSecond = 10;

/** Publishes events to one account, alone and then beside one with 1,000 endpoints that never answer. */
export async function benchNeighbours(
  service: BenchService,
  rounds: number,
  forMs: number,
  progress: (line: string) => void,
): Promise<NeighbourFigures> {
  const receiver = await startActor('receiver', { ...service.certificate, notes: true });
  const delays = [[1, hangMs, hangMs]];
  const hanging = await startActor('receiver', { ...service.certificate, delays });
  const account = await createBenchAccount(service);
  await createBenchEndpoints(service, account, [`https://localhost:${receiver.port}/`]);
  const urls = Array.from(
    { length: hangingEndpoints },
    (_each, place) => `https://localhost:${hanging.port}/${place}`,
  );
  const endpoints = await createBenchEndpoints(service, await createBenchAccount(service), urls);
  const token = await createBenchToken(service, account, 'internal');
  const api = await service.startApi();
  const worker = await service.startWorker();
  const publisher = await startActor('publisher', {
    origin: `http://127.0.0.1:${api.port}`,
    ...{ token, account, eventType, connections: 10 },
  });
  const measure = async (waits: Waits) => {
    const { accepted } = await publisher.ask<Published>({ forMs, perSecond });
    const arrivals: Record<string, number> = {};
    const startedAt = performance.now();
    for (;;) {
      Object.assign(arrivals, (await receiver.ask<Arrivals>({})).arrivals);
      if (Object.keys(accepted).every((id) => arrivals[id] !== undefined)) break;
      if (performance.now() - startedAt > limitMs) throw new Error('deliveries did not arrive');
      await pause(pollMs);
    }
    // An event may arrive before the answer that accepts it is read.
    const each = Object.entries(accepted).map(([id, at]) => Math.max(0, (arrivals[id] ?? 0) - at));
    waits.p50.push(quantile(each, 0.5));
    waits.p99.push(quantile(each, 0.99));
  };
  const [alone, beside]: [Waits, Waits] = [
    { p50: [], p99: [] },
    { p50: [], p99: [] },
  ];
  // The first events find processes that have compiled little.
  await measure({ p50: [], p99: [] });
  for (let round = 1; round <= rounds; round += 1) {
    await measure(alone);
    progress(`an account alone, round ${round} of ${rounds}`);
  }
  const noise = makeNoise(service, endpoints);
  await pause(settleMs);
  for (let round = 1; round <= rounds; round += 1) {
    await measure(beside);
    progress(`an account beside one that hangs, round ${round} of ${rounds}`);
  }
  await noise.end();
  for (const each of [publisher, worker, api, receiver, hanging]) await each.end();
  return { hangingEndpoints, hangingPerSecond, perSecond, alone, beside };
}

/** Makes pending deliveries of these endpoints in turn due until its end. */
function makeNoise(service: BenchService, endpoints: readonly string[]): { end(): Promise<void> } {
  const state = { going: true };
  const body = bodyOf(1_024);
  const batch = hangingPerSecond / batchesPerSecond;
  let next = 0;
  const insert = async () => {
    const turn = Array.from({ length: batch }, (_each, place) => {
      return endpoints[(next + place) % endpoints.length] ?? '';
    });
    next += batch;
    await insertDue(service, turn, body, batch);
    service.wake();
  };
  const run = async () => {
    while (state.going) await runAtConstantRate(batchesPerSecond, 1_000, insert);
  };
  const running = run();
  return {
    end: () => {
      state.going = false;
      return running;
    },
  };
}
