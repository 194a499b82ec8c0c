import { makeId, randomBase62 } from '../../src/domain/values/id.js';
import { makeSecret } from '../../src/domain/endpoint/secrets.js';
import { Sealer } from '../../src/domain/values/sealer.js';
import { evidenceOf } from '../../src/domain/delivery/evidence.js';
import { type EndedAttempt, startAttempt } from '../../src/domain/delivery/attempt.js';
import type { Claim, Lane, Capacity } from '../../src/domain/delivery/claim.js';
import { Claimer } from '../../src/domain/delivery/claim-deliveries.js';
import type { Outcome } from '../../src/domain/delivery/outcome.js';
import type { Read } from '../../src/domain/transaction/tx.js';
import type { TestDatabase } from './database.js';
import { eventually } from './eventually.js';
import { DeliveryLane, type LaneDependencies } from '../../workers/delivery/lane.js';

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

/** Claims pending deliveries. The lane defaults to `live`, the capacity to more than any test needs. */
export function claimAll(
  read: Read,
  { lane = 'live', ...capacity }: Partial<Capacity> & { lane?: Lane } = {},
): Promise<Claim[]> {
  const all = {
    slots: 1_000,
    perEndpoint: 1_000,
    usedSlots: new Map<string, number>(),
    ...capacity,
  };
  return new Claimer({ lane, leaseMs: 60_000 }).claim(read, all);
}

/** Expires the leases of all claims. */
export async function endLeases(database: TestDatabase): Promise<void> {
  await database.query(`update lease set until = now() - interval '1 second'`);
}

/** Returns an attempt of `claim` that ended after 12 ms with `outcome`. */
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

/** Returns a made-up claim. */
export function claimOf(pendingDeliveryId: string, endpointId: string): Claim {
  return {
    pendingDeliveryId,
    token: 1,
    ctid: '(0,1)',
    accountId: 'acc_1',
    endpointId,
    url: 'https://shop.example/',
    maxPerSecond: null,
    retrySchedule: null,
    secrets: [],
    privateKeys: [],
    headers: null,
    event: { id: 'evt_1', type: 'cart.order.completed', version: 'v1', body: Buffer.from('{}') },
    attempt: 1,
    maxAttempts: 10,
    replayedFrom: null,
    test: false,
    subjectKey: null,
    claimedAt: new Date(0),
  };
}

/** Returns an attempt of `claim` that has ended; `outcome` defaults to accepted. */
export function endedOf(
  claim: Claim,
  outcome: Outcome = { kind: 'accepted', status: 200 },
): EndedAttempt {
  const deliveryId = `whd_${claim.pendingDeliveryId}`;
  return { claim, deliveryId, startedAt: new Date(0), outcome, durationMs: 1 };
}

/** Ready pending deliveries in memory. Claims as the database does: fairly, and within the capacity. */
export class ReadyDeliveries {
  readonly #ready = new Map<string, string[]>();
  #count = 0;
  /** The slots of each claim. */
  readonly requested: number[] = [];
  /** The number of released claims. */
  released = 0;

  /** Adds `count` ready pending deliveries of one endpoint. */
  add(endpointId: string, count: number): void {
    const pendingDeliveries = this.#ready.get(endpointId) ?? [];
    for (let index = 0; index < count; index += 1) pendingDeliveries.push(`pdl_${++this.#count}`);
    this.#ready.set(endpointId, pendingDeliveries);
  }

  /** The number of unclaimed pending deliveries. */
  get left(): number {
    return [...this.#ready.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Claims within the capacity. */
  claim({ slots, perEndpoint, usedSlots }: Capacity): Claim[] {
    this.requested.push(slots);
    const claims: Claim[] = [];
    for (const [endpointId, pendingDeliveries] of this.#ready) {
      const capacity = Math.min(
        perEndpoint - (usedSlots.get(endpointId) ?? 0),
        slots - claims.length,
      );
      for (const pendingDeliveryId of pendingDeliveries.splice(0, Math.max(0, capacity))) {
        claims.push(claimOf(pendingDeliveryId, endpointId));
      }
    }
    return claims;
  }

  /** Gives claims back. */
  release(claims: readonly Claim[]): void {
    this.released += claims.length;
    for (const { endpointId, pendingDeliveryId } of claims)
      this.#ready.get(endpointId)?.push(pendingDeliveryId);
  }
}

/** A lane without a database: functions of the test take the place of its statements. */
export interface TestLane extends Pick<LaneDependencies, 'limiter' | 'send' | 'clock'> {
  /** Defaults to `live`. */
  readonly lane?: LaneDependencies['lane'] | undefined;
  readonly claim: (capacity: Capacity) => Promise<Claim[]>;
  readonly release: (claims: readonly Claim[]) => void;
  /** Defaults to none, for endpoints without a rate limit. */
  readonly reserveSendTimes?: LaneDependencies['reserveSendTimes'];
  /** Defaults to doing nothing. */
  readonly defer?: LaneDependencies['claimManager']['defer'];
  /** Defaults to always available. */
  readonly webhookClient?: LaneDependencies['webhookClient'];
  readonly onEnded: (ended: EndedAttempt) => void;
  /** Attempts that have ended and are not recorded yet. */
  readonly unrecorded: () => number;
  /** Called with every error that a lane logs. */
  readonly onInternalError: (error: unknown) => void;
}

/** Creates a lane without a database. */
export function laneOf(test: TestLane): DeliveryLane {
  const { lane = 'live', claim, onEnded, unrecorded, onInternalError } = test;
  return new DeliveryLane({
    lane,
    limiter: test.limiter,
    times: { leaseMs: 15_000, claimTimeoutMs: 5_000, startTimeoutMs: 5_000 },
    claimer: { claim },
    claimManager: {
      claim: (work) => work(1),
      release: (claims) => Promise.resolve().then(() => test.release(claims)),
      defer: test.defer ?? (() => Promise.resolve()),
    },
    send: test.send,
    ...(test.webhookClient && { webhookClient: test.webhookClient }),
    reserveSendTimes: test.reserveSendTimes ?? (() => Promise.resolve([])),
    results: {
      add: onEnded,
      get backlog() {
        return unrecorded();
      },
      recordingCapacity: Infinity,
    },
    reporter: {
      claimFailed: onInternalError,
      attemptFailed: onInternalError,
      releaseFailed: onInternalError,
    },
    ...(test.clock && { clock: test.clock }),
  });
}
