import { setTimeout as pause } from 'node:timers/promises';
import {
  createBenchAccount,
  createBenchEndpoints,
  createBenchToken,
  eventType,
} from './fixtures.js';
import type { BenchService } from './bench-service.js';
import type { Arrivals } from './actors/receiver.js';
import type { Published } from './actors/publisher.js';
import { startActor } from './actor.js';
import { quantile } from './statistics.js';

/** Time from the response that accepts an event to its arrival at the receiver; one figure per round. */
export interface LatencyFigures {
  /** Version of PostgreSQL, and whether it has JIT. */
  readonly server: string;
  /** Events per second that one API process accepts while one worker delivers them. */
  readonly accepted: number[];
  /** At half of that rate: events per second, and ms until their arrival. */
  readonly perSecond: number[];
  readonly p50: number[];
  readonly p99: number[];
  /** At {@link quietPerSecond}. */
  readonly quietP50: number[];
  readonly quietP99: number[];
}

/** Events per second of a service with little load. */
export const quietPerSecond = 200;

const connections = 50;
const limitMs = 60_000;
const pollMs = 50;

/** Publishes events of 1 KiB over the internal GraphQL, each to one endpoint. */
export async function benchLatency(
  service: BenchService,
  rounds: number,
  forMs: number,
  progress: (line: string) => void,
): Promise<LatencyFigures> {
  const receiver = await startActor('receiver', { ...service.certificate, notes: true });
  const account = await createBenchAccount(service);
  await createBenchEndpoints(service, account, [`https://localhost:${receiver.port}/`]);
  const token = await createBenchToken(service, account, 'internal');
  const api = await service.startApi();
  const worker = await service.startWorker();
  const publisher = await startActor('publisher', {
    origin: `http://127.0.0.1:${api.port}`,
    ...{ token, account, eventType, connections },
  });
  const figures: LatencyFigures = {
    server: await serverOf(service),
    ...{ accepted: [], perSecond: [], p50: [], p99: [], quietP50: [], quietP99: [] },
  };
  const waitUntilIdle = async () => {
    const startedAt = performance.now();
    while ((await service.query('select 1 from pending_delivery limit 1')).length > 0) {
      if (performance.now() - startedAt > limitMs)
        throw new Error(`Deliveries did not end within ${limitMs} ms.`);
      await pause(pollMs);
    }
    return receiver.ask<Arrivals>({});
  };
  const paced = async (perSecond: number) => {
    const published = await publisher.ask<Published>({ forMs, perSecond });
    const { arrivals } = await waitUntilIdle();
    return { perSecond: published.perSecond, waits: waitsOf(published, arrivals) };
  };
  await publisher.ask<Published>({ forMs });
  await waitUntilIdle();
  for (let round = 1; round <= rounds; round += 1) {
    const most = await publisher.ask<Published>({ forMs });
    await waitUntilIdle();
    const half = await paced(most.perSecond / 2);
    const quiet = await paced(quietPerSecond);
    figures.accepted.push(most.perSecond);
    figures.perSecond.push(half.perSecond);
    figures.p50.push(quantile(half.waits, 0.5));
    figures.p99.push(quantile(half.waits, 0.99));
    figures.quietP50.push(quantile(quiet.waits, 0.5));
    figures.quietP99.push(quantile(quiet.waits, 0.99));
    progress(`accept to received, round ${round} of ${rounds}`);
  }
  for (const each of [publisher, worker, api, receiver]) await each.end();
  return figures;
}

function waitsOf({ accepted }: Published, arrivals: Arrivals['arrivals']): number[] {
  return Object.entries(accepted).map(([id, at]) => {
    const arrived = arrivals[id];
    if (arrived === undefined) throw new Error(`Event ${id} did not arrive.`);
    // The event may arrive before the publisher reads the response.
    return Math.max(0, arrived - at);
  });
}

async function serverOf(service: BenchService): Promise<string> {
  const [row] = await service.query<{ major: string; jit: boolean }>(
    `select split_part(current_setting('server_version'), '.', 1) as major, pg_jit_available() as jit`,
  );
  return `PostgreSQL ${row?.major ?? '?'} ${row?.jit ? 'with JIT' : 'without JIT'}`;
}
