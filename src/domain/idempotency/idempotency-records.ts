// Idempotency keys of `/v1`: the first request with a key is executed, later ones get its response for 24 hours.
//
// A request holds the advisory lock of its key. Its record is written together with the commit of its effect, so
// there is never one without the other: after a crash before the commit, the next request executes; after it, the
// next request gets the response. A replay waits for the result of its attempt outside of a transaction, so its key
// is stored as pending first, and completed later by whoever sees the result.
//
// Only successful responses are stored: any refusal rolls back and leaves the key free. The insert fails if a live
// record exists, and the commit with it, so two requests never both take effect (ADR 0006).
import { createHash } from 'node:crypto';
import { confirmedByStandby, purgeOf } from '../transaction/sql.js';
import { LockNotAvailable, type Query, type Tx } from '../transaction/tx.js';
import { Check, Column, Entity, Index, PrimaryColumn } from '../transaction/typeorm.js';
import { smallestId } from '../values/id.js';

/**
 * The response to the first request with an Idempotency-Key. While `status` is null, the request is a replay whose
 * first attempt has no result yet.
 */
@Entity('idempotency_record')
@Index('idempotency_record_by_expiry', ['expiresAt'])
@Index('idempotency_record_by_pending_delivery', ['pendingDeliveryId'], {
  where: 'pending_delivery_id is not null',
})
@Check('idempotency_record_expiry_check', '(status is null) = (expires_at is null)')
@Check('idempotency_record_pending_check', 'status is not null or pending_delivery_id is not null')
export class IdempotencyRecord {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  accountId!: string;

  @PrimaryColumn('text')
  key!: string;

  @Column('bytea')
  fingerprint!: Buffer;

  /** The pending delivery of a replay. */
  @Column({ type: 'text', collation: 'C', nullable: true })
  pendingDeliveryId!: string | null;

  @Column({ type: 'integer', nullable: true })
  status!: number | null;

  /** The JSON of the response, without `signing_secret`; null for an empty body. */
  @Column({ type: 'text', nullable: true })
  body!: string | null;

  @Column({ type: 'text', nullable: true })
  location!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;
}

/** The response that later requests with the same key get. */
export interface RecordedResponse {
  readonly status: number;
  /** The JSON text to send; null for an empty body. */
  readonly body: string | null;
  readonly location: string | null;
}

/** A key and the fingerprint of its request. */
export interface IdempotentRequest {
  readonly account: string;
  readonly key: string;
  readonly fingerprint: Buffer;
}

/** The state of a key. */
export type KeyState =
  | { readonly kind: 'free' }
  | { readonly kind: 'done'; readonly fingerprint: Buffer; readonly response: RecordedResponse }
  | { readonly kind: 'pending'; readonly fingerprint: Buffer; readonly pendingDeliveryId: string };

interface Row {
  fingerprint: Buffer;
  pendingDeliveryId: string;
  status: number | null;
  body: string | null;
  location: string | null;
}

const findStatement = {
  name: 'idempotency-record-find',
  text: `select fingerprint, pending_delivery_id as "pendingDeliveryId", status, body, location,
                ${confirmedByStandby} as confirmed from idempotency_record
         where account_id = $1 and key = $2 and (expires_at is null or expires_at > now())`,
};

// Only an expired row is replaced: a live row belongs to another request.
const isExpired = 'idempotency_record.expires_at <= now()';

const replaceExpired = (fingerprint: string) => `on conflict (account_id, key) do update
  set fingerprint = ${fingerprint},
    pending_delivery_id = excluded.pending_delivery_id, status = excluded.status, body = excluded.body,
    location = excluded.location, expires_at = excluded.expires_at, created_at = excluded.created_at`;

// It is sent together with COMMIT, so it must fail if there is a live row: null violates the constraint.
const insertStatement = {
  name: 'idempotency-record-insert',
  text: `insert into idempotency_record (account_id, key, fingerprint, status, body, location,
           expires_at, created_at)
         values ($1, $2, $3, $4, $5, $6, now() + interval '24 hours', now())
         ${replaceExpired(`case when ${isExpired} then excluded.fingerprint end`)}`,
};

const insertPendingStatement = {
  name: 'idempotency-record-insert-pending',
  text: `insert into idempotency_record (account_id, key, fingerprint, pending_delivery_id, created_at)
         values ($1, $2, $3, $4, now())
         ${replaceExpired('excluded.fingerprint')} where ${isExpired} returning key`,
};

const completeStatement = {
  name: 'idempotency-record-complete',
  text: `update idempotency_record set status = $4, body = $5, location = $6,
           expires_at = now() + interval '24 hours'
         where account_id = $1 and key = $2 and pending_delivery_id = $3 and status is null returning key`,
};

/** Returns the advisory lock that a request holds while it uses its key. */
export function idempotencyLock(account: string, key: string): bigint {
  return createHash('sha256').update(`${account}\0${key}`).digest().readBigInt64BE();
}

/**
 * Reads the state of a key. Call it in a transaction that holds {@link idempotencyLock}, as a separate statement: one
 * that begins after the lock is taken sees what the previous holder committed.
 */
export async function readKeyState(tx: Tx, account: string, key: string): Promise<KeyState> {
  return keyStateOf(await tx.sql(findStatement, [account, key]));
}

/** Returns the same query for a transaction that takes the lock with it; {@link keyStateOf} reads its rows. */
export function keyStateQuery(account: string, key: string): Query {
  return { statement: findStatement, values: [account, key] };
}

/** Returns the state from the rows of {@link keyStateQuery}. */
export function keyStateOf(rows: readonly unknown[]): KeyState {
  const [row] = rows as readonly Row[];
  if (!row) return { kind: 'free' };
  const { fingerprint, status, body, location, pendingDeliveryId } = row;
  if (status === null) return { kind: 'pending', fingerprint, pendingDeliveryId };
  return { kind: 'done', fingerprint, response: { status, body, location } };
}

/**
 * Stores the response to the first request with a key for 24 hours, together with the commit of its effect. It
 * stores no `data.signing_secret`. If another request has stored its response, the transaction throws
 * LockNotAvailable.
 * @param response its `body` is a JSON value; undefined for an empty body
 * @returns the response that later requests with the key get
 */
export function recordResponse(
  tx: Tx,
  request: IdempotentRequest,
  response: { readonly status: number; readonly body?: unknown; readonly location?: string },
): RecordedResponse {
  const recorded = toRecordedResponse(response);
  const { account, key, fingerprint } = request;
  const { status, body, location } = recorded;
  const values = [account, key, fingerprint, status, body, location];
  tx.commitWith({ statement: insertStatement, values }, (error) =>
    isNotNullViolation(error) ? new LockNotAvailable() : error,
  );
  return recorded;
}

/**
 * Stores the key of a replay whose first attempt has no result yet.
 * @throws LockNotAvailable if another request has stored a record for the key
 */
export async function recordPending(
  tx: Tx,
  request: IdempotentRequest,
  pendingDeliveryId: string,
): Promise<void> {
  const { account, key, fingerprint } = request;
  const rows = await tx.sql(insertPendingStatement, [account, key, fingerprint, pendingDeliveryId]);
  if (rows.length === 0) throw new LockNotAvailable();
}

/**
 * Stores the response to a replay whose key is still pending. Its 24 hours begin now.
 * @returns the recorded response; undefined if the key does not wait for this pending delivery any longer
 */
export async function completePending(
  tx: Tx,
  account: string,
  key: string,
  pendingDeliveryId: string,
  response: { readonly status: number; readonly body?: unknown; readonly location?: string },
): Promise<RecordedResponse | undefined> {
  const recorded = toRecordedResponse(response);
  const { status, body, location } = recorded;
  const rows = await tx.sql(completeStatement, [
    account,
    key,
    pendingDeliveryId,
    status,
    body,
    location,
  ]);
  return rows.length === 0 ? undefined : recorded;
}

function toRecordedResponse(response: {
  readonly status: number;
  readonly body?: unknown;
  readonly location?: string;
}): RecordedResponse {
  const { status, body, location } = response;
  const text = body === undefined ? null : JSON.stringify(withoutSecret(body));
  return { status, body: text, location: location ?? null };
}

function isNotNullViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23502';
}

/** Responses have a secret only in this place. */
function withoutSecret(body: unknown): unknown {
  if (!isObject(body) || !isObject(body['data'])) return body;
  const data = Object.entries(body['data']).filter(([name]) => name !== 'signing_secret');
  return { ...body, data: Object.fromEntries(data) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const purgeExpired = purgeOf('idempotency_record', 'expires_at');

// No client asked for the outcome of these replays within two days, and responses are kept for only 24 hours. A
// key is as old as its pending delivery, so the id of that leaves out the rows of the last two days.
const purgeUnclaimedStatement = {
  name: 'idempotency-record-purge-unclaimed',
  text: `delete from idempotency_record where ctid = any (array(
           select s.ctid from idempotency_record s
           where s.pending_delivery_id < $2 and s.expires_at is null
             and s.created_at < now() - interval '48 hours'
             and (select true from pending_delivery c where c.id = s.pending_delivery_id and c.attempt = 1 limit 1) is null
           order by s.pending_delivery_id limit $1 for update skip locked))
         returning key`,
};

/** One hour less than two days. The id only narrows the range; `created_at` decides. */
const unclaimedFromMs = 47 * 3_600_000;

/**
 * Deletes at most `limit` responses older than 24 hours, and at most `limit` keys of replays that have ended and
 * whose outcome no client asked for within two days.
 * @returns how many rows it deleted
 */
export async function purgeIdempotencyRecords(tx: Tx, limit: number): Promise<number> {
  const expired = await purgeExpired(tx, limit);
  const createdBefore = new Date(tx.now.getTime() - unclaimedFromMs);
  const unclaimed = await tx.sql(purgeUnclaimedStatement, [
    limit,
    smallestId('pdl', createdBefore),
  ]);
  return expired + unclaimed.length;
}
