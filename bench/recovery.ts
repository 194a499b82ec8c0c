import type { NeighbourFigures } from './noisy-neighbours.js';
import { ratios, spread } from './statistics.js';
import { setTimeout as pause } from 'node:timers/promises';
import { smallestId } from '../src/domain/values/id.js';
import { callGraphql } from '../test/support/tenants.js';
import { startActor } from './actor.js';
import type { BenchService } from './bench-service.js';
import {
  bodyOf,
  createBenchAccount,
  createBenchEndpoints,
  createBenchToken,
  eventType,
} from './fixtures.js';
import { addWaits, measureArrivals, noWaits, type Waits } from './waits.js';

/** Waits of live deliveries and of replays, without a recovery and beside one. */
export interface RecoveryFigures {
  /** Recovered deliveries per second. */
  readonly perSecond: number[];
  readonly live: { readonly alone: Waits; readonly beside: Waits };
  readonly replay: { readonly alone: Waits; readonly beside: Waits };
}

const livePerSecond = 50;
const recoveredPerSecond = 500;
const missed = 200_000;

/**
 * One account publishes at a constant rate to one endpoint and replays one delivery after the other.
 * Meanwhile a recovery of another endpoint runs or is paused, in turns.
 */
export async function benchRecovery(
  service: BenchService,
  rounds: number,
  forMs: number,
  progress: (line: string) => void,
): Promise<RecoveryFigures> {
  const receiver = await startActor('receiver', { ...service.certificate, notes: true });
  // Another shop has another machine: what is recovered keeps no live request waiting at its receiver.
  const recoverer = await startActor('receiver', service.certificate);
  const account = await createBenchAccount(service);
  const urls = [receiver, recoverer].map(({ port }) => `https://localhost:${port}/hook`);
  const [live = '', recovering = ''] = await createBenchEndpoints(service, account, urls);
  const token = await createBenchToken(service, account, 'internal');
  const key = await createBenchToken(service, account, 'live');

  await insertMissed(service, account, recovering);

  const api = await service.startApi();
  const worker = await service.startWorker();
  const internalUrl = `http://127.0.0.1:${api.port}`;
  const publisher = await startActor('publisher', {
    origin: internalUrl,
    token,
    accounts: [account],
    eventType,
    connections: 10,
  });

  const ask = <Data>(query: string) => callGraphql<Data>({ internalUrl }, token, query);

  await service.query('update endpoint set event_types = $2 where id = $1', [
    recovering,
    [missedType],
  ]);

  const { startRecovery } = await ask<{ startRecovery: { id: string } }>(
    `mutation { startRecovery(account: "${account}", input: { endpoint: "${recovering}", what: missed,
       includeBefore: true, since: "${new Date(Date.now() - 7_200_000).toISOString()}",
       ratePerSecond: ${recoveredPerSecond}, idempotencyKey: "bench" }) { id } }`,
  );

  const change = (what: 'pause' | 'resume') =>
    ask(`mutation { ${what}Recovery(account: "${account}", id: "${startRecovery.id}") { id } }`);
  const delivered = async () =>
    (
      await ask<{ recovery: { delivered: number | null } }>(
        `{ recovery(account: "${account}", id: "${startRecovery.id}") { delivered } }`,
      )
    ).recovery.delivered ?? Number.NaN;

  const measureLive = (into: Waits) =>
    measureArrivals({ publisher, receiver }, { forMs, perSecond: livePerSecond }, into);
  let replays = 0;
  const measureReplays = async (into: Waits) => {
    const [record] = await service.query<{ id: string }>(
      `select id from delivery where endpoint_id = $1 order by id desc limit 1`,
      [live],
    );

    const waits: number[] = [];
    for (const end = performance.now() + forMs; performance.now() < end;) {
      const startedAt = performance.now();
      const url = `http://127.0.0.1:${api.restPort}/v1/webhooks/deliveries/${record?.id}/replay`;
      const headers = { authorization: `Bearer ${key}`, 'idempotency-key': String((replays += 1)) };
      const response = await fetch(url, { method: 'POST', headers });
      await response.text();

      // The account may start 600 replays a minute.
      if (response.status === 429) break;
      if (response.status !== 200) throw new Error(`A replay was answered ${response.status}.`);

      waits.push(performance.now() - startedAt);
      await pause(50);
    }

    addWaits(into, waits);
  };

  const figures: RecoveryFigures = {
    perSecond: [],
    live: { alone: noWaits(), beside: noWaits() },
    replay: { alone: noWaits(), beside: noWaits() },
  };

  await pause(1_000);
  await change('pause');
  await measureLive(noWaits());

  for (let round = 1; round <= rounds; round += 1) {
    await measureLive(figures.live.alone);
    await measureReplays(figures.replay.alone);
    await change('resume');
    await pause(1_000);

    const before = await delivered();
    const startedAt = performance.now();

    await measureLive(figures.live.beside);
    await measureReplays(figures.replay.beside);
    figures.perSecond.push(
      ((await delivered()) - before) / ((performance.now() - startedAt) / 1_000),
    );
    await change('pause');
    await pause(1_000);
    progress(`live deliveries and replays beside a recovery, round ${round} of ${rounds}`);
  }

  for (const child of [publisher, worker, api, receiver, recoverer]) await child.end();

  return figures;
}

/** Not the type of the live events, so that these go to one endpoint only. */
const missedType = 'offer.sent';

async function insertMissed(service: BenchService, account: string, endpoint: string) {
  const from = Date.now() - 3_600_000;
  const times = Array.from({ length: 1_000 }, (_each, place) => new Date(from + place * 2_000));
  await service.query(
    `insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
     select f || lpad(i::text, 16, '0'), $1, $2, 'v1', 'offer:bench', false, convert_to($3, 'UTF8'),
            at, at
       from unnest($4::text[], $5::timestamptz[]) t (f, at)
      cross join generate_series(1, ${missed / 1_000}) i`,
    [account, missedType, bodyOf(1_024), times.map((time) => smallestId('evt', time)), times],
  );

  await service.query(`update endpoint set created_at = now() - interval '1 day' where id = $1`, [
    endpoint,
  ]);
  await service.query('vacuum (analyze) event');
}

/** The same without the recovery is in the column of the ceiling. */
export function recoveryLines(
  queue: string,
  { perSecond, live, replay }: RecoveryFigures,
): string[] {
  const times = ({ p50, p99 }: NeighbourFigures['alone']) =>
    `p50 ${spread(p50, 1)} ms, p99 ${spread(p99, 1)} ms`;
  return Object.entries({ 'live deliveries': live, replays: replay }).map(
    ([what, { alone, beside }]) =>
      `| ${what} beside a recovery, queue on ${queue} | ${times(beside)} | ${times(alone)} (without) | ${spread(ratios(beside.p99, alone.p99), 2)} | the ratio is that of p99; recovered ${spread(perSecond)}/s |`,
  );
}
