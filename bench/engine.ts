import { setTimeout as pause } from 'node:timers/promises';
import { makeId } from '../src/domain/id.js';
import { makeSecret } from '../src/domain/endpoint/secret.js';
import { arrangeAccount, arrangeEndpoints, eventType } from './arrange.js';
import type { Ground } from './bench-service.js';
import {
  countDatabaseWork,
  type DatabaseCosts,
  type ProcessorCosts,
  ProcessorMeter,
} from './engine-costs.js';
import { residentMiB, startParty } from './party.js';

/** Deliveries per second of each round, and memory of the worker in MiB. */
export interface EngineFigures {
  readonly ceiling: number[];
  readonly candidate: number[];
  readonly restMiB: number;
  readonly loadMiB: number;
  readonly receiver: string;
  readonly ceilingCosts: ProcessorCosts;
  readonly candidateCosts: ProcessorCosts;
  readonly databaseCosts: DatabaseCosts;
}

const inFlight = 200;
const endpointCount = 50;
const pollMs = 10;
const sampleSize = 20;
const limitMs = 300_000;

/** Whom both sides send to. */
export interface Target {
  readonly name: string;
  readonly origin: string;
  readonly pid: number;
  /** Connections of the ceiling's sender. */
  readonly connections: number;
}

/**
 * Due rows to settled records by one worker process, against one process that only signs and POSTs
 * the same bodies with as many requests in flight; the two take turns.
 * @param count deliveries per turn
 */
export async function benchEngine(
  ground: Ground,
  target: Target,
  rounds: number,
  count: number,
  progress: (line: string) => void,
): Promise<EngineFigures> {
  const body = bodyOf(1_024);
  const sender = await startParty('sender', {
    origin: target.origin,
    caFile: ground.caFile,
    secret: makeSecret(),
    body,
    inFlight,
    connections: target.connections,
  });
  const account = await arrangeAccount(ground);
  const urls = Array.from({ length: endpointCount }, () => `${target.origin}/`);
  const endpoints = await arrangeEndpoints(ground, account, urls);
  const worker = await ground.startWorker();
  const restMiB = residentMiB(worker.pid);
  const ceiling: number[] = [];
  const candidate: number[] = [];
  await sender.ask({ count });
  const warmUp = await arrangeDue(ground, endpoints, body, count);
  await warmUp();
  const { postgresPid } = ground;
  const ceilingMeter = new ProcessorMeter({ sender: sender.pid, receiver: target.pid });
  const candidateMeter = new ProcessorMeter({
    worker: worker.pid,
    PostgreSQL: postgresPid,
    receiver: target.pid,
  });
  for (let round = 1; round <= rounds; round += 1) {
    const { elapsedMs } = await ceilingMeter.during(count, () =>
      sender.ask<{ elapsedMs: number }>({ count }),
    );
    ceiling.push((count / elapsedMs) * 1_000);
    const settle = await arrangeDue(ground, endpoints, body, count);
    candidate.push((count / (await candidateMeter.during(count, settle))) * 1_000);
    progress(`deliveries to ${target.name}, round ${round} of ${rounds}`);
  }
  const last = await arrangeDue(ground, endpoints, body, count);
  const databaseCosts = await countDatabaseWork(ground.query, count, last);
  const loadMiB = residentMiB(worker.pid);
  await worker.end();
  await sender.end();
  return {
    ceiling,
    candidate,
    restMiB,
    loadMiB,
    receiver: target.name,
    ceilingCosts: ceilingMeter.costs(),
    candidateCosts: candidateMeter.costs(),
    databaseCosts,
  };
}

/** Makes `count` chains due. @returns wakes, and waits until the last has settled; milliseconds */
async function arrangeDue(
  ground: Ground,
  endpoints: readonly string[],
  body: string,
  count: number,
): Promise<() => Promise<number>> {
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
  const sample = ids.filter((_id, index) => index % Math.ceil(count / sampleSize) === 0);
  return () =>
    untilSettled(
      ground,
      sample.map(([, chain]) => chain),
    );
}

/**
 * Looks at a few chains until they are gone and only then at all of them, because looking for a last
 * row among those that have just been deleted costs PostgreSQL as much as delivering does.
 */
async function untilSettled(ground: Ground, sample: readonly string[]): Promise<number> {
  const begun = performance.now();
  const waitWhile = async (text: string, values: unknown[] = []) => {
    while ((await ground.query(text, values)).length > 0) {
      if (performance.now() - begun > limitMs) throw new Error('deliveries did not end');
      await pause(pollMs);
    }
  };
  ground.wake();
  await waitWhile('select 1 from chain where id = any ($1) limit 1', [sample]);
  await waitWhile('select 1 from chain limit 1');
  return performance.now() - begun;
}

function bodyOf(bytes: number): string {
  const frame = JSON.stringify({ specversion: '1.0', type: eventType, data: { filler: '' } });
  return frame.replace('"filler":""', `"filler":"${'x'.repeat(bytes - frame.length)}"`);
}
