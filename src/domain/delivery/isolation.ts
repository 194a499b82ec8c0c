// Isolation: after several interruptions in a row, a pending delivery runs with nothing else in its process.
// Nobody knows which delivery ends processes, so each suspect runs alone.
//
// One row of PostgreSQL is the lock: at most one process runs isolated deliveries at a time, and rests
// afterwards. A crash leaves the lock taken; it ends by itself, and the interruption is counted when the lease
// of the claim ends.
import { recordChange } from '../audit/audit-log.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import type { Lane } from './claim.js';

/** In SQL: an isolated pending delivery is ready to be claimed. */
export const isolatedReady = `exists (
    select from pending_delivery c
      cross join lateral (select * from endpoint e where e.id = c.endpoint_id limit 1) e
     where c.ready and c.lease_token is null and c.lane = 'isolated'
       and e.active and e.deleted_at is null and e.cancelling_since is null
       and (c.test or c.event_type = any (e.event_types)))`;

const isolatedStatement: Statement = {
  name: 'isolated_ready',
  text: `select where ${isolatedReady}`,
};

/** Whether an isolated pending delivery is ready to be claimed. */
export async function hasIsolatedReady(read: Read): Promise<boolean> {
  const ready = await read.sql(isolatedStatement, []);
  return ready.length > 0;
}

/**
 * No lock or cooldown lasts this long. A later `until` means that PostgreSQL's clock was set back.
 */
const maxLock = `interval '10 minutes'`;

const acquireStatement: Statement = {
  name: 'isolation_lock_acquire',
  text: `
    update isolation_lock set holder = $1, until = now() + $2::int * interval '1 millisecond'
     where until <= now() or until > now() + ${maxLock} or holder = $1
    returning holder`,
};

/**
 * Acquires the lock for running isolated pending deliveries. All processes share one lock.
 * @param holder the process, below 2^53; it may acquire again what it holds
 * @param lockMs the lock ends after this time, for example when the process has died
 * @returns false while another process holds it, or during the cooldown
 */
export async function acquireIsolationLock(
  read: Read,
  holder: number,
  lockMs: number,
): Promise<boolean> {
  const acquired = await read.sql(acquireStatement, [holder, Math.ceil(lockMs)]);
  return acquired.length > 0;
}

const releaseLockStatement: Statement = {
  name: 'isolation_lock_release',
  text: `
    update isolation_lock set holder = null, until = now() + $2::int * interval '1 millisecond'
     where holder = $1`,
};

/**
 * Releases the lock of `holder` and starts a cooldown of `cooldownMs`, in which no process acquires
 * it. Does nothing if another process holds it.
 */
export async function releaseIsolationLock(
  read: Read,
  holder: number,
  cooldownMs: number,
): Promise<void> {
  await read.sql(releaseLockStatement, [holder, Math.ceil(cooldownMs)]);
}

/** Deliveries released per call, at most. */
export const isolatedBatch = 1_000;

/** Follows the index of ready pending deliveries, and skips the one that is being sent. */
const releaseIsolatedStatement: Statement = {
  name: 'isolated_release',
  text: `
    with picked as (
      select c.id from pending_delivery c
       where c.ready and c.lease_token is null and c.lane = 'isolated'
       order by c.lane, c.account_id, c.endpoint_id, c.due_at limit ${isolatedBatch} for update skip locked
    )
    update pending_delivery c
       set interruptions = 0,
           lane = case when c.replayed_from is not null and c.attempt = 1 then 'replay'
                       else 'live' end
     where c.id = any (array(select p.id from picked p))
    returning c.lane`,
};

/**
 * Returns isolated pending deliveries to their former lane, at most {@link isolatedBatch} per call,
 * and resets their interruptions to 0. For an operator who knows that they crash no process.
 * @returns how many were released
 */
export async function releaseIsolated(tx: Tx): Promise<number> {
  const released = await tx.sql<{ lane: Lane }>(releaseIsolatedStatement, []);
  if (released.some(({ lane }) => lane === 'live')) tx.wake({ kind: 'due' });
  if (released.some(({ lane }) => lane === 'replay')) tx.wake({ kind: 'replay' });
  const changes = [{ field: 'deliveries', to: String(released.length) }];
  if (released.length > 0) recordChange(tx, { action: 'isolated_deliveries_released', changes });
  return released.length;
}
