import { setTimeout as pause } from 'node:timers/promises';
import { arrangeAccount, arrangeEndpoints, arrangeToken, eventType } from './arrange.js';
import type { Ground } from './bench-service.js';
import type { Arrivals } from './parties/receiver.js';
import type { Published } from './parties/publisher.js';
import { startParty } from './party.js';
import { quantile } from './statistics.js';

/** From the answer that accepts an event to its arrival at the receiver; one figure a round. */
export interface LatencyFigures {
  /** Version of PostgreSQL, and whether it can compile statements. */
  readonly server: string;
  /** Events a second that one API process accepts while one worker delivers them. */
  readonly accepted: number[];
  /** At half of that: events a second, and milliseconds until they arrived. */
  readonly perSecond: number[];
  readonly p50: number[];
  readonly p99: number[];
  /** At {@link quietPerSecond}. */
  readonly quietP50: number[];
  readonly quietP99: number[];
}

/** Events a second of a service that has time to spare. */
export const quietPerSecond = 200;

const connections = 50;
const limitMs = 60_000;
const pollMs = 50;

/** Publishes events of 1 KiB over the internal GraphQL, each to one endpoint. */
export async function benchLatency(
  ground: Ground,
  rounds: number,
  forMs: number,
  progress: (line: string) => void,
): Promise<LatencyFigures> {
  const receiver = await startParty('receiver', { ...ground.certificate, notes: true });
  const account = await arrangeAccount(ground);
  await arrangeEndpoints(ground, account, [`https://localhost:${receiver.port}/`]);
  const token = await arrangeToken(ground, account, 'internal');
  const api = await ground.startApi();
  const worker = await ground.startWorker();
  const publisher = await startParty('publisher', {
    origin: `http://127.0.0.1:${api.port}`,
    ...{ token, account, eventType, connections },
  });
  const figures: LatencyFigures = {
    server: await serverOf(ground),
    ...{ accepted: [], perSecond: [], p50: [], p99: [], quietP50: [], quietP99: [] },
  };
  const untilIdle = async () => {
    const begun = performance.now();
    while ((await ground.query('select 1 from chain limit 1')).length > 0) {
      if (performance.now() - begun > limitMs) throw new Error('deliveries did not end');
      await pause(pollMs);
    }
    return receiver.ask<Arrivals>({});
  };
  const paced = async (perSecond: number) => {
    const published = await publisher.ask<Published>({ forMs, perSecond });
    const { arrivals } = await untilIdle();
    return { perSecond: published.perSecond, waits: waitsOf(published, arrivals) };
  };
  await publisher.ask<Published>({ forMs });
  await untilIdle();
  for (let round = 1; round <= rounds; round += 1) {
    const most = await publisher.ask<Published>({ forMs });
    await untilIdle();
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
    if (arrived === undefined) throw new Error(`${id} did not arrive`);
    // It may arrive before the answer is read.
    return Math.max(0, arrived - at);
  });
}

async function serverOf(ground: Ground): Promise<string> {
  const [row] = await ground.query<{ major: string; jit: boolean }>(
    `select split_part(current_setting('server_version'), '.', 1) as major, pg_jit_available() as jit`,
  );
  return `PostgreSQL ${row?.major ?? '?'} ${row?.jit ? 'with JIT' : 'without JIT'}`;
}
