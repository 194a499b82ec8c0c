import { makeId, smallestId } from '../../src/domain/values/id.js';
import type { TestDatabase } from './database.js';
import { eventType } from './engine.js';

/** How an inserted event differs from the default. */
export interface PastEvent {
  /** How long ago it was published, in milliseconds. Defaults to an hour. */
  readonly agoMs?: number;
  readonly type?: string;
  readonly test?: boolean;
  /** The only endpoint it was published for. */
  readonly endpointId?: string;
}

const hourMs = 3_600_000;

/** Inserts an event that was published a while ago, without pending deliveries. @returns its id */
export async function insertPastEvent(
  database: TestDatabase,
  account: string,
  { agoMs = hourMs, type = eventType, test = false, endpointId }: PastEvent = {},
): Promise<string> {
  const at = new Date(Date.now() - agoMs);
  const id = makeId('evt', at);
  await database.query(
    `insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at, endpoint_id)
     values ($1, $2, $3, 'v1', 'order:ord_1', $4, convert_to('{"data":{}}', 'UTF8'), $5, $5, $6)`,
    [id, account, type, test, at, endpointId ?? null],
  );
  return id;
}

/** Inserts records of one event at an endpoint, a minute apart. @returns their ids */
export async function insertRecords(
  database: TestDatabase,
  { account, endpoint, event }: { account: string; endpoint: string; event: string },
  ...statuses: readonly ('success' | 'failed' | 'abandoned')[]
): Promise<string[]> {
  const first = Date.now() - hourMs / 2;
  const pending = makeId('pdl', new Date(first));
  const ids = [];

  for (const [place, status] of statuses.entries()) {
    const at = new Date(first + place * 60_000);
    const id = makeId('whd', at);
    ids.push(id);

    await database.query(
      `insert into delivery (id, account_id, endpoint_id, pending_delivery_id, event_id, event_type,
                             event_version, attempt, max_attempts, status, test, created_at)
       values ($1, $2, $3, $4, $5, $6, 'v1', $7, 10, $8, false, $9)`,
      [id, account, endpoint, pending, event, eventType, place + 1, status, at],
    );
  }

  return ids;
}

/**
 * Inserts events of the last hour at once: `abandoned` with a record of an attempt at the endpoint,
 * `missed` without one. @returns their ids
 */
export async function insertManyPastEvents(
  database: TestDatabase,
  { account, endpoint }: { account: string; endpoint: string },
  { abandoned, missed }: { abandoned: number; missed: number },
): Promise<string[]> {
  const at = new Date(Date.now() - hourMs);
  const idOf = (prefix: 'evt' | 'whd' | 'pdl') =>
    `'${smallestId(prefix, at)}' || lpad(i::text, 16, '0')`;
  const series = `generate_series(1, ${abandoned + missed}) i`;
  const events = await database.query<{ id: string }>(
    `insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
     select ${idOf('evt')}, $1, $2, 'v1', 'order:ord_1', false, convert_to('{"data":{}}', 'UTF8'),
            $3::timestamptz, $3 from ${series} returning id`,
    [account, eventType, at],
  );

  // Missed events lie among the others.
  await database.query(
    `insert into delivery (id, account_id, endpoint_id, pending_delivery_id, event_id, event_type,
                           event_version, attempt, max_attempts, status, test, created_at)
     select ${idOf('whd')}, $1, $2, ${idOf('pdl')}, ${idOf('evt')}, $3, 'v1', 10, 10, 'abandoned',
            false, $4 from ${series}
      where i % ${Math.max(1, Math.round((abandoned + missed) / Math.max(1, missed)))} <> 0`,
    [account, endpoint, eventType, at],
  );

  return events.map(({ id }) => id);
}
