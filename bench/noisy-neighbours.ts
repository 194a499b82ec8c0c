import { ratios, spread } from './statistics.js';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createBenchAccount,
  createBenchEndpoints,
  createBenchToken,
  eventType,
  bodyOf,
  insertDue,
} from './fixtures.js';
import type { BenchService } from './bench-service.js';
import { runAtConstantRate } from './constant-rate.js';
import { startActor } from './actor.js';
import { measureArrivals, noWaits, type Waits } from './waits.js';

/** Times from acceptance to arrival of an account alone, and next to one whose endpoints hang. */
export interface NeighbourFigures {
  readonly hangingEndpoints: number;
  /** Deliveries per second to the hanging endpoints. */
  readonly hangingPerSecond: number;
  /** Deliveries per second to the endpoint of the measured account. */
  readonly perSecond: number;
  readonly alone: Waits;
  readonly beside: Waits;
}

const hangingEndpoints = 1_000;
const hangingPerSecond = 100;
const perSecond = 50;
/** Longer than the timeout of an attempt. */
const hangMs = 3_600_000;
const noiseRampUpMs = 2_000;
/** Inserts of pending deliveries per second. */
const batchesPerSecond = 10;

/** Publishes events to one account: first alone, then next to one with 1,000 endpoints that never respond. */
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
    token,
    accounts: [account],
    eventType,
    connections: 10,
  });

  const measure = (into: Waits) =>
    measureArrivals({ publisher, receiver }, { forMs, perSecond }, into);
  const alone = noWaits();
  const beside = noWaits();

  // Warm-up: not counted, because the processes have compiled little code.
  await measure(noWaits());

  for (let round = 1; round <= rounds; round += 1) {
    await measure(alone);
    progress(`an account alone, round ${round} of ${rounds}`);
  }

  const noise = makeNoise(service, endpoints);
  await pause(noiseRampUpMs);

  for (let round = 1; round <= rounds; round += 1) {
    await measure(beside);
    progress(`an account next to one that hangs, round ${round} of ${rounds}`);
  }

  await noise.end();
  for (const child of [publisher, worker, api, receiver, hanging]) await child.end();

  return { hangingEndpoints, hangingPerSecond, perSecond, alone, beside };
}

/** Inserts due pending deliveries for these endpoints in turn until `end`. */
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

/** The account alone is in the column of the ceiling. */
export function neighbourLine(queue: string, figures: NeighbourFigures): string {
  const { alone, beside, perSecond, hangingEndpoints, hangingPerSecond } = figures;
  const times = ({ p50, p99 }: NeighbourFigures['alone']) =>
    `p50 ${spread(p50, 1)} ms, p99 ${spread(p99, 1)} ms`;
  const noise = `${hangingPerSecond} deliveries per second to ${hangingEndpoints.toLocaleString('en')} endpoints that hang`;
  return `| an account with ${perSecond} events per second next to another with ${noise}, queue on ${queue} | ${times(beside)} | ${times(alone)} (alone) | ${spread(ratios(beside.p99, alone.p99), 2)} | the ratio is that of p99 |`;
}
