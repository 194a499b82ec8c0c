import { createHash } from 'node:crypto';
import { confirmedByStandby } from '../confirmed-by-standby.js';
import { LockNotAvailable, type Query, type Tx } from '../tx.js';

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
  text: `select fingerprint, pending_delivery_id as "pendingDeliveryId", status, body, location,
                ${confirmedByStandby} as confirmed from idempotency_record
         where account_id = $1 and key = $2 and (expires_at is null or expires_at > now())`,
};

// Replaces only an expired row: a live row belongs to another request.
const isExpired = 'idempotency_record.expires_at <= now()';

const replaceExpired = (fingerprint: string) => `on conflict (account_id, key) do update
  set fingerprint = ${fingerprint},
    pending_delivery_id = excluded.pending_delivery_id, status = excluded.status, body = excluded.body,
    location = excluded.location, expires_at = excluded.expires_at, created_at = excluded.created_at`;

// It is sent together with COMMIT, so a live row must make it fail: fingerprints are not null.
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
 * Reads what the key stands for. Call it in a transaction that holds {@link idempotencyLock}: a separate
 * statement, which begins after the lock was taken, sees what the previous holder committed.
 */
export async function readKeyState(tx: Tx, account: string, key: string): Promise<KeyState> {
  return keyStateOf(await tx.sql(findStatement, [account, key]));
}

/** The same as the first query of a transaction that takes the lock; {@link keyStateOf} reads its rows. */
export function keyStateQuery(account: string, key: string): Query {
  return { statement: findStatement, values: [account, key] };
}

/** Returns the state that the rows of {@link keyStateQuery} describe. */
export function keyStateOf(rows: readonly unknown[]): KeyState {
  const [row] = rows as readonly Row[];
  if (!row) return { kind: 'free' };
  const { fingerprint, status, body, location, pendingDeliveryId } = row;
  if (status === null) return { kind: 'pending', fingerprint, pendingDeliveryId };
  return { kind: 'done', fingerprint, response: { status, body, location } };
}

/**
 * Stores the response to the first request under a key for 24 hours, together with the commit of its
 * effect. The recorded response has no `data.signing_secret`. When another request has stored its
 * response, the transaction throws LockNotAvailable.
 * @param response its `body` is the JSON value; undefined for an empty body
 * @returns the response that later requests under the key get
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

/** Every response that has a secret holds it at this one place. */
function withoutSecret(body: unknown): unknown {
  if (!isObject(body) || !isObject(body['data'])) return body;
  const data = Object.entries(body['data']).filter(([name]) => name !== 'signing_secret');
  return { ...body, data: Object.fromEntries(data) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
