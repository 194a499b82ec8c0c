import { recordChange } from '../audit/record-change.js';
import { smallestId } from '../id.js';
import { rowById, singleRow } from '../rows.js';
import type { Statement, Tx } from '../tx.js';
import { getRecovery, type RecoveryView } from './recoveries.js';
import type { Recovery } from './recovery.entity.js';
import { assertActive, recoveryEndpoint } from './recovery-endpoint.js';
import { refused } from './start-recovery.js';

type Locked = Pick<Recovery, 'id' | 'endpointId' | 'status' | 'reason' | 'since' | 'position'>;

const lockStatement: Statement = {
  name: 'recovery_lock_one',
  text: `
    select id, endpoint_id as "endpointId", status, reason, since, position
      from recovery where id = $1 and account_id = $2 for update`,
};

/**
 * Deletes what the recovery added and no worker has claimed. A claimed one is sent. So is one from
 * before its range, which an earlier recovery left when a worker lost its claim.
 * @returns the counts of those it deleted, and the first of their events
 */
const takeBackStatement: Statement = {
  name: 'recovery_take_back',
  text: `
    with picked as (
      select c.id from pending_delivery c
       where c.ready and c.lane = 'recovery' and c.account_id = $1 and c.endpoint_id = $2
         and c.lease_token is null and c.event_id > $3
         for update skip locked
    ), deleted as (
      delete from pending_delivery c where c.id = any (array(select p.id from picked p))
      returning c.event_id, c.replayed_from
    )
    select count(d.replayed_from)::int as failed, (count(*) - count(d.replayed_from))::int as missed,
           min(d.event_id) as first from deleted d`,
};

interface TakenBack {
  readonly failed: number;
  readonly missed: number;
  readonly first: string | null;
}

const changeStatement: Statement = {
  name: 'recovery_change',
  text: `
    update recovery
       set status = $2, reason = $3, waits_for = null, position = $4,
           failed = failed - $5::int, missed = missed - $6::int,
           credited_at = greatest(credited_at, $7::timestamptz), next_step_at = $7, updated_at = $7,
           ended_at = case when $2 = 'cancelled' then $7::timestamptz end
     where id = $1`,
};

/**
 * Pauses a recovery. It takes back what no worker has claimed yet, and sends that after it resumes.
 * @throws DomainError not_found; state_conflict (`recovery_ended`)
 */
export async function pauseRecovery(tx: Tx, account: string, id: string): Promise<RecoveryView> {
  const locked = await lockRecovery(tx, account, id);
  if (locked.status === 'running') {
    await stop(tx, account, locked, 'paused');
    recordChange(tx, { action: 'recovery_paused', account, resource: id });
  }
  return getRecovery(tx, account, id);
}

/**
 * Resumes a paused recovery. One that stopped with its endpoint begins its range again, because
 * deliveries were cancelled then; what was delivered or is pending is not sent again.
 * @throws DomainError not_found; endpoint_inactive; state_conflict (`recovery_ended`)
 */
export async function resumeRecovery(tx: Tx, account: string, id: string): Promise<RecoveryView> {
  const locked = await lockRecovery(tx, account, id);
  if (locked.status === 'paused') {
    assertActive(await recoveryEndpoint(tx, account, locked.endpointId));
    const position =
      locked.reason === 'requested' ? locked.position : smallestId('evt', locked.since);
    await tx.sql(changeStatement, [id, 'running', null, position, 0, 0, tx.now]);
    recordChange(tx, { action: 'recovery_resumed', account, resource: id });
  }
  return getRecovery(tx, account, id);
}

/**
 * Cancels a recovery for good, and takes back what no worker has claimed yet.
 * @throws DomainError not_found; state_conflict (`recovery_ended`) when it was completed
 */
export async function cancelRecovery(tx: Tx, account: string, id: string): Promise<RecoveryView> {
  const locked = await lockRecovery(tx, account, id, 'cancelled');
  if (locked.status !== 'cancelled') {
    await stop(tx, account, locked, 'cancelled');
    recordChange(tx, { action: 'recovery_cancelled', account, resource: id });
  }
  return getRecovery(tx, account, id);
}

/** @param repeatable a final status that a repetition may find */
async function lockRecovery(
  tx: Tx,
  account: string,
  id: string,
  repeatable?: 'cancelled',
): Promise<Locked> {
  const locked = await rowById<Locked>(tx, 'rcv', lockStatement, [id, account]);
  const { status } = locked;
  if (status === 'completed' || (status === 'cancelled' && status !== repeatable))
    throw refused('recovery_ended', `The recovery is ${status}. Start another one.`);
  return locked;
}

async function stop(
  tx: Tx,
  account: string,
  { id, endpointId, since, position }: Locked,
  status: 'paused' | 'cancelled',
): Promise<void> {
  const values = [account, endpointId, smallestId('evt', since)];
  const { failed, missed, first } = await singleRow<TakenBack>(tx, takeBackStatement, values);
  // A shorter text sorts before the id, so the next step reads that event again.
  const from = first === null ? position : min(first.slice(0, -1), position);
  await tx.sql(changeStatement, [id, status, 'requested', from, failed, missed, tx.now]);
}

function min(one: string, other: string): string {
  return one < other ? one : other;
}
