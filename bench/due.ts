import { setTimeout as pause } from 'node:timers/promises';
import { makeId } from '../src/domain/id.js';
import { eventType } from './arrange.js';
import type { Ground } from './bench-service.js';

/** A look costs PostgreSQL as much as a dozen deliveries, and half of it is added to a turn. */
const lookEveryMs = 50;
const lastLooksEveryMs = 10;
const sampleSize = 20;
const limitMs = 300_000;

/** The body of an event, `bytes` long. */
export function bodyOf(bytes: number): string {
  const frame = JSON.stringify({ specversion: '1.0', type: eventType, data: { filler: '' } });
  return frame.replace('"filler":""', `"filler":"${'x'.repeat(bytes - frame.length)}"`);
}

/**
 * Makes `count` chains due, each with an event of its own, for the endpoints in turn.
 * @param dueAt in SQL
 * @returns their ids
 */
export async function insertDue(
  ground: Ground,
  endpoints: readonly string[],
  body: string,
  count: number,
  dueAt = 'now()',
): Promise<string[]> {
  const at = new Date();
  const ids = Array.from({ length: count }, () => [makeId('evt', at), makeId('chn', at)] as const);
  const places = ids.map((_id, index) => endpoints[index % endpoints.length]);
  const chains = ids.map(([, chain]) => chain);
  await ground.query(
    `with event_row as (
       insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
       select e, $4, $5, 'v1', 'order:bench', false, convert_to($6, 'UTF8'), now(), now() from unnest($1::text[]) e)
     insert into chain (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at, attempt, max_attempts, test, created_at)
     select c, n.account_id, p, e, $5, 'live', true, ${dueAt}, 1, 10, false, now()
       from unnest($1::text[], $2::text[], $3::text[]) as t (e, c, p) join endpoint n on n.id = p`,
    [ids.map(([event]) => event), chains, places, 'acc_bench', eventType, body],
  );
  return chains;
}

/** Makes `count` chains due. @returns wakes, and waits until the last has settled; milliseconds */
export async function arrangeDue(
  ground: Ground,
  endpoints: readonly string[],
  body: string,
  count: number,
): Promise<() => Promise<number>> {
  const chains = await insertDue(ground, endpoints, body, count);
  const sample = chains.filter((_id, index) => index % Math.ceil(count / sampleSize) === 0);
  return async () => {
    const begun = performance.now();
    ground.wake();
    await untilGone(ground, sample);
    await untilIdle(ground);
    return performance.now() - begun;
  };
}

/** Resolves when these chains have ended. */
export function untilGone(ground: Ground, chains: readonly string[]): Promise<void> {
  const text = 'select 1 from chain where id = any ($1) limit 1';
  return whileFound(ground, lookEveryMs, text, [chains]);
}

/**
 * Resolves when no chain is left. Only for the end: looking for a last row among those that have just
 * been deleted costs PostgreSQL as much as delivering does.
 */
export function untilIdle(ground: Ground): Promise<void> {
  return whileFound(ground, lastLooksEveryMs, 'select 1 from chain limit 1', []);
}

async function whileFound(
  ground: Ground,
  everyMs: number,
  text: string,
  values: unknown[],
): Promise<void> {
  const begun = performance.now();
  while ((await ground.query(text, values)).length > 0) {
    if (performance.now() - begun > limitMs) throw new Error('deliveries did not end');
    await pause(everyMs);
  }
}
