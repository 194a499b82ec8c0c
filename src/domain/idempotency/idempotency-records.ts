import { createHash } from 'node:crypto';
import { smallestId } from '../id.js';
import { LockNotAvailable, type Tx } from '../tx.js';

/** What a client gets again under the same key (H43). */
export interface RecordedResponse {
  readonly status: number;
  /** The JSON text to send; null for an empty body. */
  readonly body: string | null;
  readonly location: string | null;
}

/** A key and what its first request was. */
export interface IdempotentRequest {
  readonly account: string;
  readonly key: string;
  readonly fingerprint: Buffer;
}

/** What a key stands for at this moment. */
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

// Only an expired row gives way: the key of a live one belongs to somebody else.
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

// Nobody came back for its outcome: the two days are more than the 24 hours a stored one has. A key is
// as old as its pending delivery, by whose id those of the last two days are left out.
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

/** An hour less than two days, because `created_at` decides. */
const unclaimedFromMs = 47 * 3_600_000;

/** The advisory lock that a request holds while its key is being used (H48). */
export function idempotencyLock(account: string, key: string): bigint {
  return createHash('sha256').update(`${account}\0${key}`).digest().readBigInt64BE();
}

/**
 * What the key stands for. Only for a transaction that holds {@link idempotencyLock}: a statement of its
 * own, begun after the lock was won, sees what the previous holder committed (H48).
 */
export async function readKeyState(tx: Tx, account: string, key: string): Promise<KeyState> {
  const [row] = await tx.sql<Row>(findStatement, [account, key]);
  if (!row) return { kind: 'free' };
  const { fingerprint, status, body, location, pendingDeliveryId } = row;
  if (status === null) return { kind: 'pending', fingerprint, pendingDeliveryId };
  return { kind: 'done', fingerprint, response: { status, body, location } };
}

/**
 * Stores the response to the first request under a key for 24 hours (H43, H45), in the transaction
 * of its effect. `data.signing_secret` is left out of what is stored.
 * @param body the response's JSON value; undefined for an empty body
 * @returns what a later request under the key gets
 * @throws LockTaken when somebody else's response is there
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
 * Marks a key as that of a replay whose first attempt is not known yet (H76, step 1).
 * @throws LockTaken when somebody else's row is there
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
 * Stores the response to a replay whose key is still pending; its 24 hours begin here (H76, step 5).
 * @returns what is stored; undefined when the key no longer waits for that pending delivery
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
 * Deletes up to `limit` responses whose 24 hours are over (H45), and as many keys of replays that
 * have ended without anybody asking for the outcome within two days.
 * @returns how many were deleted
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

/** The secret stands at one place in every response that has one. */
function withoutSecret(body: unknown): unknown {
  if (!isObject(body) || !isObject(body['data'])) return body;
  const data = Object.entries(body['data']).filter(([name]) => name !== 'signing_secret');
  return { ...body, data: Object.fromEntries(data) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
