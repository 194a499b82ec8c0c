// What members do with recoveries: preview, start, pause, resume and cancel them. Workers run them (run-step.ts).
//
// - An endpoint has at most one active recovery, and an account at most maxActive. Starts of one
//   account queue at a lock. The same key with the same content is the same recovery.
// - Pausing and cancelling take back the deliveries that no worker has claimed. What was delivered or is
//   pending is never added again, so a paused recovery can be resumed at any time.
import { recordChange } from '../audit/audit-log.js';
import { DomainError, type InternalIssueCode, validationFailed } from '../errors.js';
import { rowById, singleRow } from '../transaction/rows.js';
import { confirmedByStandby } from '../transaction/sql.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import { fingerprint } from '../values/canonical-json.js';
import { makeId, smallestId, timestampOf } from '../values/id.js';
import { textIssues } from '../values/text.js';
import { findCandidates, recoveredTypes, type Subscriptions, untriedOf } from './candidates.js';
import { getRecovery, type RecoveryView } from './recoveries.js';
import { checkRange, type RecoveryInput, type RecoveryRange } from './recovery-input.js';
import type { Recovery } from './recovery.entity.js';

/** At most this many recoveries of an account are running or paused. */
const maxActive = 5;

/** Starts of one account queue here, so that the limit and the key hold. */
const lockStartsStatement: Statement = {
  name: 'recovery_start_lock',
  text: `select pg_advisory_xact_lock(hashtextextended('recovery ' || $1, 0))`,
};

const earlierStatement: Statement = {
  name: 'recovery_earlier',
  text: `
    select (select count(*)::int from recovery r
             where r.account_id = $1 and r.status in ('running', 'paused')) as active,
           exists (select from recovery r
                    where r.endpoint_id = $3 and r.status in ('running', 'paused')) as "endpointBusy",
           case when k.id is not null and ${confirmedByStandby} then k.id end as id, k.fingerprint
      from (select) one
      left join recovery k on k.account_id = $1 and k.idempotency_key = $2`,
};

interface Earlier {
  readonly active: number;
  readonly endpointBusy: boolean;
  /** The recovery of the key; null without one. */
  readonly id: string | null;
  readonly fingerprint: Buffer | null;
}

const insertStatement: Statement = {
  name: 'recovery_insert',
  text: `
    insert into recovery (id, account_id, endpoint_id, what, since, until, event_types,
                          include_before, rate_per_second, idempotency_key, fingerprint, status,
                          position, credited_at, next_step_at, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'running',
            $12, $13::timestamptz - interval '1 second', $13, $13, $13)`,
};

/**
 * Starts a recovery of an active endpoint; workers run it.
 * @throws DomainError not_found, validation_failed, endpoint_inactive
 * @throws DomainError state_conflict (`recovery_key_conflict`, `recovery_active`,
 *   `recovery_limit_reached`)
 */
export async function startRecovery(
  tx: Tx,
  account: string,
  input: RecoveryInput,
): Promise<RecoveryView> {
  const { endpointId, what, idempotencyKey } = input;
  const issues = textIssues('idempotencyKey', idempotencyKey, { min: 1, max: 255 });
  if (issues.length > 0) throw validationFailed(issues);

  await tx.sql(lockStartsStatement, [account]);

  const endpoint = await recoveryEndpoint(tx, account, endpointId);

  const contentPrint = fingerprint('RECOVER', endpointId, { ...input, endpointId });
  const values = [account, idempotencyKey, endpointId];
  const earlier = await singleRow<Earlier>(tx, earlierStatement, values);
  if (earlier.id !== null) {
    if (earlier.fingerprint?.equals(contentPrint)) return getRecovery(tx, account, earlier.id);
    throw refused('recovery_key_conflict', 'This key was used for another recovery.');
  }

  const checked = checkRange(input, endpoint.eventTypes, tx.now);
  assertActive(endpoint);
  if (earlier.endpointBusy)
    throw refused('recovery_active', 'A recovery of this endpoint is running or paused.');
  if (earlier.active >= maxActive)
    throw refused('recovery_limit_reached', `At most ${maxActive} recoveries can be active.`);

  const { since, until, eventTypes, includeBefore, ratePerSecond } = checked;
  const id = makeId('rcv', tx.now);
  await tx.sql(insertStatement, [
    id,
    account,
    endpointId,
    what,
    since,
    until,
    eventTypes,
    includeBefore,
    ratePerSecond,
    idempotencyKey,
    contentPrint,
    smallestId('evt', since),
    tx.now,
  ]);

  const changes = [
    { field: 'since', to: since.toISOString() },
    { field: 'until', to: until.toISOString() },
  ];

  recordChange(tx, { action: 'recovery_started', account, resource: id, changes });

  return getRecovery(tx, account, id);
}

type Locked = Pick<Recovery, 'id' | 'endpointId' | 'status' | 'reason' | 'since' | 'position'>;

const lockStatement: Statement = {
  name: 'recovery_lock_one',
  text: `
    select id, endpoint_id as "endpointId", status, reason, since, position
      from recovery where id = $1 and account_id = $2 for update`,
};

/**
 * Deletes the deliveries that the recovery added and no worker has claimed. A claimed delivery is sent. So
 * is one from before its range, which an earlier recovery left when a worker lost its claim.
 * @returns how many it deleted, and the first of their events
 */
const takeBackStatement: Statement = {
  name: 'recovery_take_back',
  text: `
    with picked as (
      select c.id from pending_delivery c
       where c.id = any (array(
               select u.id from (${untriedOf('$1', '$2')}) u where u.event_id > $3))
         and c.lane = 'recovery' and c.lease_token is null
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
 * Resumes a paused recovery. If it was paused because its endpoint was disabled, it begins its range again,
 * because deliveries were cancelled then. What was delivered or is pending is not sent again.
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

/**
 * Reads and locks a recovery that has not ended.
 * @param repeatable a final status that is accepted, too: the request is repeated
 */
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

/** What a recovery would send. */
export interface RecoveryPreview {
  readonly failed: number;
  readonly missed: number;
  /** When the first counted event was published; null without one. */
  readonly oldest: Date | null;
  readonly newest: Date | null;
  /** False when there may be more: the counts then hold up to `countedUntil`. */
  readonly complete: boolean;
  readonly countedUntil: Date;
  /** How long sending the counted events takes at the rate, in seconds. */
  readonly estimatedSeconds: number;
}

/** A preview reads at most this many events of the account. */
const maxEvents = 10_000;

/**
 * Counts the events that a recovery would send now, and changes nothing. Reads at most 10,000 events, for an endpoint with
 * a filter also at most 8 MiB of bodies.
 * @throws DomainError not_found, validation_failed
 */
export async function previewRecovery(
  read: Read,
  accountId: string,
  range: RecoveryRange,
): Promise<RecoveryPreview> {
  const { endpointId, what } = range;
  const endpoint = await recoveryEndpoint(read, accountId, endpointId);
  const checked = checkRange(range, endpoint.eventTypes, endpoint.now);
  const { since, until, eventTypes, includeBefore, ratePerSecond } = checked;
  const { candidates, bound } = await findCandidates(read, {
    accountId,
    endpointId,
    what,
    events: maxEvents,
    limit: maxEvents,
    after: smallestId('evt', since),
    before: smallestId('evt', new Date(until.getTime() + 1)),
    types: recoveredTypes(endpoint, eventTypes, includeBefore),
    filterPath: endpoint.filterPath,
  });

  const first = candidates.at(0);
  const last = candidates.at(-1);
  return {
    failed: candidates.filter(({ latest }) => latest !== null).length,
    missed: candidates.filter(({ latest }) => latest === null).length,
    oldest: first ? timestampOf(first.id) : null,
    newest: last ? timestampOf(last.id) : null,
    complete: bound === null,
    countedUntil: bound === null ? until : timestampOf(bound),
    estimatedSeconds: Math.ceil(candidates.length / ratePerSecond),
  };
}

/** The endpoint of a recovery, and PostgreSQL's time. */
interface RecoveryEndpoint extends Subscriptions {
  readonly id: string;
  readonly active: boolean;
  readonly now: Date;
}

const findStatement: Statement = {
  name: 'recovery_endpoint',
  text: `
    select id, active, event_types as "eventTypes", subscribed_since as "subscribedSince",
           created_at as "createdAt", filter_path::text as "filterPath", now() as now
      from endpoint where id = $1 and account_id = $2 and deleted_at is null`,
};

/**
 * Returns an endpoint of the account.
 * @throws DomainError not_found
 */
function recoveryEndpoint(
  read: Pick<Read, 'sql'>,
  account: string,
  id: string,
): Promise<RecoveryEndpoint> {
  return rowById<RecoveryEndpoint>(read, 'whs', findStatement, [id, account]);
}

/** @throws DomainError endpoint_inactive */
function assertActive({ active }: Pick<RecoveryEndpoint, 'active'>): void {
  if (active) return;
  const detail = 'The endpoint is not active. Activate it before recovering.';
  throw new DomainError('endpoint_inactive', detail);
}

/** Makes the error for a recovery that the state forbids. */
function refused(code: InternalIssueCode, detail: string): DomainError {
  return new DomainError('state_conflict', detail, [{ code, detail }]);
}
