import { startRecovery } from '../../src/domain/recovery/change-recovery.js';
import { recoveredId } from '../../src/domain/recovery/run-step.js';
import { makeId } from '../../src/domain/values/id.js';
import type { Service } from '../../test/support/service.js';
import type { Tenant } from '../../test/support/tenants.js';

const hourMs = 3_600_000;
const type = 'cart.order.completed';

/** When the endpoint took no events, before now. */
export const outage = { beganAgoMs: 5.2 * hourMs, endedAgoMs: 0.4 * hourMs } as const;

/** Inserts 220 events of the outage: the endpoint failed to take five of six, and missed the rest. */
export async function insertLoss(
  { database }: Service,
  { account }: Tenant,
  endpoint: string,
): Promise<void> {
  const count = 220;
  const first = Date.now() - outage.beganAgoMs;
  const step = (outage.beganAgoMs - outage.endedAgoMs) / count;
  const rows = Array.from({ length: count }, (_each, place) => {
    const at = new Date(first + place * step);
    const ids = { event: makeId('evt', at), record: makeId('whd', at), pending: makeId('pdl', at) };
    return { ...ids, at, missed: place % 6 === 0 };
  });

  const values = [account, JSON.stringify(rows), type];
  await database.query(
    `insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
     select r.event, $1, $3, 'v1', 'order:ord_1', false, convert_to('{"data":{}}', 'UTF8'), r.at, r.at
       from jsonb_to_recordset($2) r (event text, at timestamptz)`,
    values,
  );

  await database.query(
    `insert into delivery (id, account_id, endpoint_id, pending_delivery_id, event_id, event_type,
                           event_version, attempt, max_attempts, status, test, response_status,
                           failure_reason, duration_ms, created_at)
     select r.record, $1, $4, r.pending, r.event, $3, 'v1', 10, 10, 'abandoned', false, 502,
            'http_status', 61, r.at
       from jsonb_to_recordset($2) r (record text, pending text, event text, at timestamptz,
                                      missed boolean)
      where not r.missed`,
    [...values, endpoint],
  );
}

/** Starts a recovery of the outage, and moves it on to its middle. @returns its id */
export async function beginRecovery(
  service: Service,
  { account }: Tenant,
  endpointId: string,
): Promise<string> {
  const { database } = service;
  const { transact } = await database.open();
  const now = Date.now();
  const start = { since: now - outage.beganAgoMs - 60_000, until: now - outage.endedAgoMs };
  const { id } = await transact((tx) =>
    startRecovery(tx, account, {
      endpointId,
      what: 'both',
      ratePerSecond: 2,
      idempotencyKey: 'shot',
      since: new Date(start.since),
      until: new Date(start.until),
    }),
  );

  const failed = 108;
  const missed = 22;
  const waiting = 4;
  const retrying = 3;

  await database.query(
    `update recovery
        set failed = $2, missed = $3, created_at = now() - interval '66 seconds',
            position = (select max(e.id) from (
              select v.id from event v
               where v.account_id = $4 and v.id > recovery.position order by v.id limit $5) e)
      where id = $1`,
    [id, failed, missed, account, failed + missed],
  );

  for (let place = 0; place < waiting + retrying; place += 1) {
    await database.query(
      `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready,
                                     due_at, attempt, max_attempts, test, last_delivery_id, created_at)
       values ($1, $2, $3, $4, $5, 'recovery', $6, now() + $7 * interval '1 minute', $8, 10, false,
               $9, now())`,
      [
        recoveredId(id, new Date()),
        account,
        endpointId,
        makeId('evt', new Date()),
        type,
        ...(place < waiting ? [true, 0, 1, null] : [false, 9, 2, makeId('whd', new Date())]),
      ],
    );
  }

  const at = new Date();
  await database.query(
    `insert into delivery (id, account_id, endpoint_id, pending_delivery_id, event_id, event_type,
                           event_version, attempt, max_attempts, status, test, response_status,
                           duration_ms, created_at, delivered_at)
     values ($1, $2, $3, $4, $5, $6, 'v1', 1, 10, 'success', false, 200, 64, $7, $7)`,
    [makeId('whd', at), account, endpointId, recoveredId(id, at), makeId('evt', at), type, at],
  );

  return id;
}

/** Inserts recoveries of the last weeks that have ended. */
export async function insertPastRecoveries(
  { database }: Service,
  { account }: Tenant,
  ...ended: readonly { endpoint: string; daysAgo: number; failed: number; status: string }[]
): Promise<void> {
  for (const { endpoint, daysAgo, failed, status } of ended) {
    const at = new Date(Date.now() - daysAgo * 24.3 * hourMs);
    await database.query(
      `insert into recovery (id, account_id, endpoint_id, what, since, until, include_before,
                             rate_per_second, idempotency_key, fingerprint, status, position, failed,
                             credited_at, next_step_at, created_at, updated_at, ended_at)
       values ($1, $2, $3, 'failed', $4::timestamptz - interval '1 day', $4, false, 50, $1, '', $5,
               $6, $7, $4, $4, $4, $4, $4::timestamptz + interval '4 minutes')`,
      [makeId('rcv', at), account, endpoint, at, status, makeId('evt', at), failed],
    );
  }
}
