import { setTimeout as pause } from 'node:timers/promises';
import { makeId } from '../src/domain/id.js';
import { makeSecret } from '../src/domain/endpoint/secret.js';
import { benchSealer, type Ground } from './bench-service.js';
import { residentMiB, startParty } from './party.js';

/** Deliveries per second of each round, and memory of the worker in MiB. */
export interface EngineFigures {
  readonly ceiling: number[];
  readonly candidate: number[];
  readonly restMiB: number;
  readonly loadMiB: number;
}

const inFlight = 200;
const connections = 50;
const endpointCount = 50;
const pollMs = 10;
const limitMs = 300_000;
const eventType = 'cart.order.completed';

/**
 * Due rows to settled records by one worker process, against one process that only signs and POSTs
 * the same bodies with as many requests in flight; the two take turns.
 * @param count deliveries per turn
 */
export async function benchEngine(
  ground: Ground,
  rounds: number,
  count: number,
  progress: (line: string) => void,
): Promise<EngineFigures> {
  const body = bodyOf(1_024);
  const sender = await startParty('sender', {
    origin: ground.receiverOrigin,
    caFile: ground.caFile,
    secret: makeSecret(),
    body,
    inFlight,
    connections,
  });
  const endpoints = await arrangeEndpoints(ground);
  const worker = await ground.startWorker();
  const restMiB = residentMiB(worker.pid);
  const ceiling: number[] = [];
  const candidate: number[] = [];
  await sender.ask({ count: Math.ceil(count / 5) });
  await deliver(ground, endpoints, body, Math.ceil(count / 5));
  for (let round = 1; round <= rounds; round += 1) {
    const { elapsedMs } = await sender.ask<{ elapsedMs: number }>({ count });
    ceiling.push((count / elapsedMs) * 1_000);
    candidate.push((count / (await deliver(ground, endpoints, body, count))) * 1_000);
    progress(`deliveries, round ${round} of ${rounds}`);
  }
  const loadMiB = residentMiB(worker.pid);
  await worker.end();
  await sender.end();
  return { ceiling, candidate, restMiB, loadMiB };
}

async function arrangeEndpoints(ground: Ground): Promise<string[]> {
  const at = new Date();
  const account = makeId('acc', at);
  await ground.query('insert into account (id, name, created_at) values ($1, $2, now())', [
    account,
    'Bench',
  ]);
  const ids: string[] = [];
  for (let index = 0; index < endpointCount; index += 1) {
    const id = makeId('whs', at);
    const { keyId, sealed } = benchSealer.seal(makeSecret(), id);
    await ground.query(
      `insert into endpoint (id, account_id, url, active, notification_email, event_types, created_at, updated_at)
       values ($1, $2, $3, true, 'bench@example.com', $4, now(), now())`,
      [id, account, `${ground.receiverOrigin}/`, [eventType]],
    );
    await ground.query(
      `insert into endpoint_secret (id, endpoint_id, key_id, sealed, created_at) values ($1, $2, $3, $4, now())`,
      [makeId('sec', at), id, keyId, sealed],
    );
    ids.push(id);
  }
  return ids;
}

/** Makes `count` chains due in one transaction and waits until the last one has settled; milliseconds. */
async function deliver(
  ground: Ground,
  endpoints: readonly string[],
  body: string,
  count: number,
): Promise<number> {
  const at = new Date();
  const ids = Array.from({ length: count }, () => [makeId('evt', at), makeId('chn', at)] as const);
  const places = ids.map((_id, index) => endpoints[index % endpoints.length]);
  await ground.query(
    `with event_row as (
       insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
       select e, $4, $5, 'v1', 'order:bench', false, convert_to($6, 'UTF8'), now(), now() from unnest($1::text[]) e)
     insert into chain (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at, attempt, max_attempts, test, created_at)
     select c, $4, p, e, $5, 'live', true, now(), 1, 10, false, now()
       from unnest($1::text[], $2::text[], $3::text[]) as t (e, c, p)`,
    [
      ids.map(([event]) => event),
      ids.map(([, chain]) => chain),
      places,
      'acc_bench',
      eventType,
      body,
    ],
  );
  const begun = performance.now();
  ground.wake();
  while ((await ground.query('select 1 from chain limit 1')).length > 0) {
    if (performance.now() - begun > limitMs) throw new Error('deliveries did not end');
    await pause(pollMs);
  }
  return performance.now() - begun;
}

function bodyOf(bytes: number): string {
  const frame = JSON.stringify({ specversion: '1.0', type: eventType, data: { filler: '' } });
  return frame.replace('"filler":""', `"filler":"${'x'.repeat(bytes - frame.length)}"`);
}
