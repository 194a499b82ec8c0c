import { createHash } from 'node:crypto';
import { smallestId } from '../id.js';
import { LockNotAvailable, type Tx } from '../tx.js';

/** The response that a client gets again under the same key. */
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

/** What a key stands for when it is read. */
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
  text: `select fingerprint, pending_delivery_id as "pendingDeliveryId", status, body, location from idempotency_record
         where account_id = $1 and key = $2 and (expires_at is null or expires_at > now())`,
};

// Replaces only an expired row: a live row belongs to another request.
const replaceExpired = `on conflict (account_id, key) do update set fingerprint = excluded.fingerprint,
    pending_delivery_id = excluded.pending_delivery_id, status = excluded.status, body = excluded.body,
    location = excluded.location, expires_at = excluded.expires_at, created_at = excluded.created_at
  where idempotency_record.expires_at <= now() returning key`;

const insertStatement = {
  name: 'idempotency-record-insert',
  text: `insert into idempotency_record (account_id, key, fingerprint, status, body, location,
           expires_at, created_at)
         values ($1, $2, $3, $4, $5, $6, now() + interval '24 hours', now()) ${replaceExpired}`,
};

const insertPendingStatement = {
  name: 'idempotency-record-insert-pending',
  text: `insert into idempotency_record (account_id, key, fingerprint, pending_delivery_id, created_at)
         values ($1, $2, $3, $4, now()) ${replaceExpired}`,
};

const completeStatement = {
  name: 'idempotency-record-complete',
  text: `update idempotency_record set status = $4, body = $5, location = $6,
           expires_at = now() + interval '24 hours'
         where account_id = $1 and key = $2 and pending_delivery_id = $3 and status is null returning key`,
};

const purgeExpiredStatement = {
  name: 'idempotency-record-purge',
  text: `delete from idempotency_record where ctid = any (array(
           select s.ctid from idempotency_record s where s.expires_at <= now()
           order by s.expires_at limit $1 for update skip locked))
         returning key`,
};

// No client came back for the outcome of these replays within two days; a response is kept for 24 hours
// only. A key is as old as its pending delivery, whose id leaves out the rows of the last two days.
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

/** One hour less than two days: the id only narrows the range, `created_at` decides. */
const unclaimedFromMs = 47 * 3_600_000;

/** Returns the advisory lock that a request holds while it uses its key. */
export function idempotencyLock(account: string, key: string): bigint {
  return createHash('sha256').update(`${account}\0${key}`).digest().readBigInt64BE();
}

/**
 * Reads what the key stands for. Call it in a transaction that holds {@link idempotencyLock}: a separate
 * statement, which begins after the lock was taken, sees what the previous holder committed.
 */
export async function readKeyState(tx: Tx, account: string, key: string): Promise<KeyState> {
  const [row] = await tx.sql<Row>(findStatement, [account, key]);
  if (!row) return { kind: 'free' };
  const { fingerprint, status, body, location, pendingDeliveryId } = row;
  if (status === null) return { kind: 'pending', fingerprint, pendingDeliveryId };
  return { kind: 'done', fingerprint, response: { status, body, location } };
}

/**
 * Stores the response to the first request under a key for 24 hours, in the transaction of its effect.
 * The recorded response has no `data.signing_secret`.
 * @param response its `body` is the JSON value; undefined for an empty body
 * @returns the response that later requests under the key get
 * @throws LockNotAvailable when another request has stored its response
 */
export async function recordResponse(
  tx: Tx,
  request: IdempotentRequest,
  response: { readonly status: number; readonly body?: unknown; readonly location?: string },
): Promise<RecordedResponse> {
  const recorded = toRecordedResponse(response);
  const { account, key, fingerprint } = request;
  const { status, body, location } = recorded;
  const rows = await tx.sql(insertStatement, [account, key, fingerprint, status, body, location]);
  if (rows.length === 0) throw new LockNotAvailable();
  return recorded;
}

/**
 * Stores a key as that of a replay whose first attempt has no result yet.
 * @throws LockNotAvailable when another request has stored its row
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
 * Stores the response to a replay whose key is still pending; its 24 hours begin now.
 * @returns the recorded response; undefined when the key no longer waits for this pending delivery
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

/**
 * Deletes at most `limit` responses that are older than 24 hours. It also deletes at most `limit` keys of
 * replays that ended, and for whose outcome no client asked within two days.
 * @returns how many rows it deleted
 */
export async function purgeIdempotencyRecords(tx: Tx, limit: number): Promise<number> {
  const expired = await tx.sql(purgeExpiredStatement, [limit]);
  const createdBefore = new Date(tx.now.getTime() - unclaimedFromMs);
  const unclaimed = await tx.sql(purgeUnclaimedStatement, [
    limit,
    smallestId('pdl', createdBefore),
  ]);
  return expired.length + unclaimed.length;
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

/** Every response that has a secret holds it at this one place. */
function withoutSecret(body: unknown): unknown {
  if (!isObject(body) || !isObject(body['data'])) return body;
  const data = Object.entries(body['data']).filter(([name]) => name !== 'signing_secret');
  return { ...body, data: Object.fromEntries(data) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
