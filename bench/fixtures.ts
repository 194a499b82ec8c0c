import { hashToken, makeToken } from '../src/domain/account/token.js';
import { makeSecret } from '../src/domain/endpoint/secrets.js';
import { makeId } from '../src/domain/values/id.js';
import { benchSealer, type BenchService } from './bench-service.js';
import { setTimeout as pause } from 'node:timers/promises';

/** The one event type of all benchmarks. */
export const eventType = 'cart.order.completed';

const subscribers = 20;

/** Creates an account. @returns its id */
export async function createBenchAccount(service: BenchService): Promise<string> {
  const id = makeId('acc', new Date());
  await service.query(`insert into account (id, name, created_at) values ($1, 'Bench', now())`, [
    id,
  ]);
  return id;
}

/** Creates a credential of an owner of `account`. @returns its token */
export async function createBenchToken(
  service: BenchService,
  account: string,
  kind: 'live' | 'internal',
): Promise<string> {
  const at = new Date();
  const member = makeId('mem', at);
  const token = makeToken(kind);

  await service.query(
    `insert into member (id, account_id, email, role, created_at) values ($1, $2, $3, 'owner', now())`,
    [member, account, `${member}@example.com`],
  );

  await service.query(
    `insert into credential (id, account_id, member_id, kind, level, token_sha256, last4, created_at)
     values ($1, $2, $3, $4, 'full', $5, $6, now())`,
    [makeId('crd', at), account, member, kind, hashToken(token), token.slice(-4)],
  );

  return token;
}

/** Creates endpoints that subscribe to {@link eventType}, each with a secret. @returns their ids */
export async function createBenchEndpoints(
  service: BenchService,
  account: string,
  urls: readonly string[],
): Promise<string[]> {
  const at = new Date();
  const endpoints = urls.map((url) => {
    const id = makeId('whs', at);
    const { keyId, sealed } = benchSealer.seal(makeSecret(), id);
    return { id, url, keyId, sealed, secret: makeId('sec', at) };
  });

  await service.query(
    `insert into endpoint (id, account_id, url, active, notification_email, event_types, created_at, updated_at)
     select id, $1, url, true, 'bench@example.com', $4, now(), now()
       from unnest($2::text[], $3::text[]) t (id, url)`,
    [account, endpoints.map(({ id }) => id), endpoints.map(({ url }) => url), [eventType]],
  );

  await service.query(
    `insert into endpoint_secret (id, endpoint_id, key_id, sealed, created_at)
     select id, endpoint_id, key_id, sealed, now()
       from unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) t (id, endpoint_id, key_id, sealed)`,
    [
      endpoints.map(({ secret }) => secret),
      endpoints.map(({ id }) => id),
      endpoints.map(({ keyId }) => keyId),
      endpoints.map(({ sealed }) => sealed),
    ],
  );

  return endpoints.map(({ id }) => id);
}

/** Creates 20 accounts with one endpoint each. @returns the accounts */
export async function createSubscribers(service: BenchService, port: number): Promise<string[]> {
  const accounts: string[] = [];
  for (let place = 0; place < subscribers; place += 1) {
    const account = await createBenchAccount(service);
    await createBenchEndpoints(service, account, [`https://localhost:${port}/${place}`]);
    accounts.push(account);
  }
  return accounts;
}

/** One query costs PostgreSQL as much as a dozen deliveries, and half an interval is added to a turn. */
const pollIntervalMs = 50;
const finalPollIntervalMs = 10;
const sampleSize = 20;
const limitMs = 300_000;

/** Returns the body of an event with this length. */
export function bodyOf(bytes: number): string {
  const frame = JSON.stringify({ specversion: '1.0', type: eventType, data: { filler: '' } });
  return frame.replace('"filler":""', `"filler":"${'x'.repeat(bytes - frame.length)}"`);
}

/**
 * Inserts `count` due pending deliveries for the endpoints in turn, each with its own event.
 * @param dueAt an expression of SQL
 * @returns their ids
 */
export async function insertDue(
  service: BenchService,
  endpoints: readonly string[],
  body: string,
  count: number,
  dueAt = 'now()',
): Promise<string[]> {
  const at = new Date();
  const ids = Array.from({ length: count }, () => [makeId('evt', at), makeId('pdl', at)] as const);
  const places = ids.map((_id, index) => endpoints[index % endpoints.length]);
  const pendingDeliveries = ids.map(([, pending]) => pending);
  await service.query(
    `with input as materialized (
       select t.*, n.account_id as account
         from unnest($1::text[], $2::text[], $3::text[]) t (event, pending, endpoint)
         join endpoint n on n.id = t.endpoint
     ), event_row as (
       insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
       select event, account, $4, 'v1', 'order:bench', false, convert_to($5, 'UTF8'), now(), now() from input
     )
     insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at, attempt, max_attempts, test, created_at)
     select pending, account, endpoint, event, $4, 'live', true, ${dueAt}, 1, 10, false, now() from input`,
    [ids.map(([event]) => event), pendingDeliveries, places, eventType, body],
  );

  return pendingDeliveries;
}

/**
 * Inserts `count` due pending deliveries.
 * @returns a function that wakes the workers, waits until all results are recorded, and returns the ms
 */
export async function insertDueSample(
  service: BenchService,
  endpoints: readonly string[],
  body: string,
  count: number,
): Promise<() => Promise<number>> {
  const pendingDeliveries = await insertDue(service, endpoints, body, count);
  const sample = pendingDeliveries.filter(
    (_id, index) => index % Math.ceil(count / sampleSize) === 0,
  );
  return async () => {
    const startedAt = performance.now();
    service.wake();
    await waitUntilGone(service, sample);
    await waitUntilIdle(service);
    return performance.now() - startedAt;
  };
}

/** Resolves when all these pending deliveries are done. */
export function waitUntilGone(
  service: BenchService,
  pendingDeliveries: readonly string[],
): Promise<void> {
  const text = 'select 1 from pending_delivery where id = any ($1) limit 1';
  return whileFound(service, pollIntervalMs, text, [pendingDeliveries]);
}

/**
 * Resolves when no pending delivery is left. Only for the end: searching for a last row among rows that
 * were just deleted costs PostgreSQL as much as delivering does.
 */
export function waitUntilIdle(service: BenchService): Promise<void> {
  return whileFound(service, finalPollIntervalMs, 'select 1 from pending_delivery limit 1', []);
}

async function whileFound(
  service: BenchService,
  everyMs: number,
  text: string,
  values: unknown[],
): Promise<void> {
  const startedAt = performance.now();
  while ((await service.query(text, values)).length > 0) {
    if (performance.now() - startedAt > limitMs)
      throw new Error(`Deliveries did not end within ${limitMs} ms.`);
    await pause(everyMs);
  }
}
