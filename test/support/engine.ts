import { makeId, randomBase62 } from '../../src/domain/id.js';
import { makeSecret } from '../../src/domain/endpoint/secrets.js';
import { Sealer } from '../../src/domain/sealer.js';
import { evidenceOf } from '../../src/domain/delivery/evidence.js';
import { type EndedAttempt, startAttempt } from '../../src/domain/delivery/attempt.js';
import type { Claim, Lane, Capacity } from '../../src/domain/delivery/claim.js';
import { Claimer } from '../../src/domain/delivery/claiming.js';
import type { Outcome } from '../../src/domain/delivery/outcome.js';
import type { Read } from '../../src/domain/tx.js';
import type { TestDatabase } from './database.js';
import { eventually } from './eventually.js';

/** The event type of all inserted endpoints and events. */
export const eventType = 'cart.order.completed';

/** Truncates the tables of the delivery engine; accounts and the catalogue stay. */
export async function emptyEngine(test: TestDatabase): Promise<void> {
  await test.query(
    'truncate pending_delivery, lease, delivery, event, notice, endpoint_secret, endpoint, idempotency_record',
  );
}

/** Inserts an account and the catalogue entry of {@link eventType}. */
export async function insertAccount(database: Pick<TestDatabase, 'query'>): Promise<string> {
  const id = makeId('acc', new Date());
  await database.query(`insert into account (id, name, created_at) values ($1, 'Shop', now())`, [
    id,
  ]);
  await database.query(
    `insert into event_type (id, category, summary, description, accepts_new_subscriptions, sent)
     values ($1, 'orders', 's', 'd', true, true) on conflict do nothing`,
    [eventType],
  );
  return id;
}

/** Inserts an active endpoint with one secret; `changes` are SQL assignments on its row. */
export async function insertEndpoint(
  database: Pick<TestDatabase, 'query'>,
  accountId: string,
  changes?: string,
): Promise<string> {
  const id = makeId('whs', new Date());
  await database.query(
    `insert into endpoint (id, account_id, url, active, notification_email, event_types, created_at, updated_at)
     values ($1, $2, 'https://shop.example/hook', true, 'ops@shop.example', $3, now(), now())`,
    [id, accountId, [eventType]],
  );
  await insertSecret(database, id);
  if (changes) await database.query(`update endpoint set ${changes} where id = $1`, [id]);
  return id;
}

/** Copies the endpoint of an account `count` times, without its secret. */
export async function copyEndpoints(
  database: Pick<TestDatabase, 'query'>,
  accountId: string,
  count: number,
): Promise<void> {
  await database.query(
    `insert into endpoint
     select (jsonb_populate_record(e, jsonb_build_object('id', left(e.id, -4) || lpad(n::text, 4, '0')))).*
       from endpoint e, generate_series(1, $2::int) n where e.account_id = $1`,
    [accountId, count],
  );
}

/** Inserts the newest secret of an endpoint. @returns the secret in plain text */
export async function insertSecret(
  database: Pick<TestDatabase, 'query'>,
  endpointId: string,
  expires: string | null = null,
): Promise<string> {
  const secret = makeSecret();
  const { keyId, sealed } = new Sealer([{ id: 'k1', key: Buffer.alloc(32, 7) }]).seal(
    secret,
    endpointId,
  );
  await database.query(
    `insert into endpoint_secret (id, endpoint_id, key_id, sealed, created_at, expires_at)
     values ($1, $2, $3, $4, now(), now() + $5::interval)`,
    [
      `sec_${performance.now().toFixed(6).padStart(24, '0')}${randomBase62(4)}`,
      endpointId,
      keyId,
      sealed,
      expires,
    ],
  );
  return secret;
}

/** Claims; the capacity defaults to more than any test needs. */
export function claimAll(
  read: Read,
  { lane = 'live', ...capacity }: Partial<Capacity> & { lane?: Lane } = {},
): Promise<Claim[]> {
  const all = {
    slots: 1_000,
    perEndpoint: 1_000,
    inFlight: new Map<string, number>(),
    ...capacity,
  };
  return new Claimer(lane, 60_000).claim(read, all);
}

/** Expires the leases of all claims. */
export async function endLeases(database: TestDatabase): Promise<void> {
  await database.query(`update lease set until = now() - interval '1 second'`);
}

/** An attempt of `claim` that ended after 12 ms with `outcome`. */
export function end(claim: Claim, outcome: Outcome, elapsedMs = 0): EndedAttempt {
  return { ...startAttempt(claim, elapsedMs), outcome, durationMs: 12 };
}

/** Outcomes by their short names. */
export const outcomes = {
  ok: { kind: 'accepted', status: 200 },
  down: { kind: 'rejected', status: 500 },
  gone: { kind: 'rejected', status: 410 },
  timeout: { kind: 'unreachable', reason: 'timeout' },
  blocked: { kind: 'refused', reason: 'blocked_destination' },
} as const satisfies Record<string, Outcome>;

/** Evidence of an attempt without a response. */
export const evidence = evidenceOf(
  { url: 'https://shop.example/hook', headers: {} },
  { outcome: outcomes.timeout, durationMs: 12 },
);

/** Waits until a statement in the database waits for a lock. */
export function untilLockIsAwaited(database: TestDatabase): Promise<void> {
  return eventually(async () => {
    const waiting = await database.query(
      `select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (waiting.length === 0) throw new Error('no statement waits');
  }, 'a statement waits for a lock');
}
