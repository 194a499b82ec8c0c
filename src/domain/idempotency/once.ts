import { createHash } from 'node:crypto';
import { idFloor } from '../id.js';
import { LockTaken, type Tx } from '../tx.js';

/** What a client gets again under the same key (H43). */
export interface Replayable {
  readonly status: number;
  /** The JSON text to send; null for an empty body. */
  readonly body: string | null;
  readonly location: string | null;
}

/** A key and what its first request was. */
export interface Claim {
  readonly account: string;
  readonly key: string;
  readonly fingerprint: Buffer;
}

/** What a key stands for at this moment. */
export type KeyState =
  | { readonly kind: 'free' }
  | { readonly kind: 'done'; readonly fingerprint: Buffer; readonly response: Replayable }
  | { readonly kind: 'pending'; readonly fingerprint: Buffer; readonly chain: string };

interface Row {
  fingerprint: Buffer;
  chain: string;
  status: number | null;
  body: string | null;
  location: string | null;
}

const find = {
  name: 'stored-response-find',
  text: `select fingerprint, chain_id as chain, status, body, location from stored_response
         where account_id = $1 and key = $2 and (expires_at is null or expires_at > now())`,
};

// Only an expired row gives way: the key of a live one belongs to somebody else.
const overwrite = `on conflict (account_id, key) do update set fingerprint = excluded.fingerprint,
    chain_id = excluded.chain_id, status = excluded.status, body = excluded.body,
    location = excluded.location, expires_at = excluded.expires_at, created_at = excluded.created_at
  where stored_response.expires_at <= now() returning key`;

const insert = {
  name: 'stored-response-insert',
  text: `insert into stored_response (account_id, key, fingerprint, status, body, location,
           expires_at, created_at)
         values ($1, $2, $3, $4, $5, $6, now() + interval '24 hours', now()) ${overwrite}`,
};

const insertPending = {
  name: 'stored-response-insert-pending',
  text: `insert into stored_response (account_id, key, fingerprint, chain_id, created_at)
         values ($1, $2, $3, $4, now()) ${overwrite}`,
};

const complete = {
  name: 'stored-response-complete',
  text: `update stored_response set status = $4, body = $5, location = $6,
           expires_at = now() + interval '24 hours'
         where account_id = $1 and key = $2 and chain_id = $3 and status is null returning key`,
};

const forget = {
  name: 'stored-response-forget',
  text: `delete from stored_response where ctid = any (array(
           select s.ctid from stored_response s where s.expires_at <= now()
           order by s.expires_at limit $1 for update skip locked))
         returning key`,
};

// Nobody came back for its outcome: the two days are more than the 24 hours a stored one has. A key is
// as old as its chain, by whose id those of the last two days are left out.
const forgetUnclaimed = {
  name: 'stored-response-forget-unclaimed',
  text: `delete from stored_response where ctid = any (array(
           select s.ctid from stored_response s
           where s.chain_id < $2 and s.expires_at is null
             and s.created_at < now() - interval '48 hours'
             and (select true from chain c where c.id = s.chain_id and c.attempt = 1 limit 1) is null
           order by s.chain_id limit $1 for update skip locked))
         returning key`,
};

/** An hour less than two days, because `created_at` decides. */
const unclaimedFromMs = 47 * 3_600_000;

/** The advisory lock that a request holds while its key is being used (H48). */
export function keyLock(account: string, key: string): bigint {
  return createHash('sha256').update(`${account}\0${key}`).digest().readBigInt64BE();
}

/**
 * What the key stands for. Only for a transaction that holds {@link keyLock}: a statement of its
 * own, begun after the lock was won, sees what the previous holder committed (H48).
 */
export async function lookUp(tx: Tx, account: string, key: string): Promise<KeyState> {
  const [row] = await tx.sql<Row>(find, [account, key]);
  if (!row) return { kind: 'free' };
  const { fingerprint, status, body, location, chain } = row;
  if (status === null) return { kind: 'pending', fingerprint, chain };
  return { kind: 'done', fingerprint, response: { status, body, location } };
}

/**
 * Stores the response to the first request under a key for 24 hours (H43, H45), in the transaction
 * of its effect. `data.signing_secret` is left out of what is stored.
 * @param body the response's JSON value; undefined for an empty body
 * @returns what a later request under the key gets
 * @throws LockTaken when somebody else's response is there
 */
export async function store(
  tx: Tx,
  claim: Claim,
  response: { readonly status: number; readonly body?: unknown; readonly location?: string },
): Promise<Replayable> {
  const stored = replayable(response);
  const { account, key, fingerprint } = claim;
  const { status, body, location } = stored;
  const rows = await tx.sql(insert, [account, key, fingerprint, status, body, location]);
  if (rows.length === 0) throw new LockTaken();
  return stored;
}

/**
 * Marks a key as that of a replay whose first attempt is not known yet (H76, step 1).
 * @throws LockTaken when somebody else's row is there
 */
export async function storePending(tx: Tx, claim: Claim, chain: string): Promise<void> {
  const { account, key, fingerprint } = claim;
  const rows = await tx.sql(insertPending, [account, key, fingerprint, chain]);
  if (rows.length === 0) throw new LockTaken();
}

/**
 * Stores the response to a replay whose key is still pending; its 24 hours begin here (H76, step 5).
 * @returns what is stored; undefined when the key no longer waits for that chain
 */
export async function finish(
  tx: Tx,
  account: string,
  key: string,
  chain: string,
  response: { readonly status: number; readonly body?: unknown; readonly location?: string },
): Promise<Replayable | undefined> {
  const stored = replayable(response);
  const { status, body, location } = stored;
  const rows = await tx.sql(complete, [account, key, chain, status, body, location]);
  return rows.length === 0 ? undefined : stored;
}

/**
 * Deletes up to `limit` responses whose 24 hours are over (H45), and as many keys of replays that
 * have ended without anybody asking for the outcome within two days.
 * @returns how many were deleted
 */
export async function forgetExpired(tx: Tx, limit: number): Promise<number> {
  const expired = await tx.sql(forget, [limit]);
  const youngest = new Date(tx.now.getTime() - unclaimedFromMs);
  const unclaimed = await tx.sql(forgetUnclaimed, [limit, idFloor('chn', youngest)]);
  return expired.length + unclaimed.length;
}

function replayable(response: {
  readonly status: number;
  readonly body?: unknown;
  readonly location?: string;
}): Replayable {
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
