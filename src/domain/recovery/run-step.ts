// A step of a recovery: one transaction that reads events from the position of the recovery on, adds
// deliveries for those that the endpoint failed to take or missed, and moves the position.
//
// - Deliveries, counts and position are committed together: a crash repeats and skips nothing.
// - A step locks its recovery until it commits; other processes skip it.
// - decideStep decides how much a step may add: by the rate of the recovery, by what is pending at
//   the endpoint, and by whether the endpoint is failing.
import { lockReplays } from '../delivery/replay.js';
import { singleRow } from '../transaction/rows.js';
import { attemptsOf } from '../transaction/rules.js';
import { selectionOf, subjectKeyOf, subjectNumberOf } from '../transaction/sql.js';
import type { Statement, Transact, Tx } from '../transaction/tx.js';
import { deliveriesReady, type OrderedSubject } from '../transaction/wakeup.js';
import { makeId, smallestId } from '../values/id.js';
import {
  type Candidate,
  findCandidates,
  isPending,
  oldestRecord,
  recordsOf,
  recoveredTypes,
  type Subscriptions,
  untriedOf,
} from './candidates.js';
import type { Recovery, RecoveryReason, RecoveryWait } from './recovery.entity.js';

/** How many deliveries a step added. */
interface Added {
  readonly failed: number;
  readonly missed: number;
}

/** What a step did. */
export interface StepResult extends Added {
  readonly recoveryId: string;
}

/**
 * Runs the step that is due first, in one transaction: the deliveries that it adds and the position
 * of the recovery are committed together, so that a crash repeats and skips nothing.
 * @returns undefined when no step is due, or other processes run them
 */
export function runRecoveryStep(transact: Transact): Promise<StepResult | undefined> {
  const firstQuery = { statement: lockStatement, values: [] };
  return transact(
    async (tx) => {
      const [locked] = tx.firstRows as readonly Locked[];
      return locked && takeStep(tx, locked);
    },
    { firstQuery },
  );
}

/** An endpoint as a step of a recovery sees it. */
export interface StepEndpoint {
  readonly deleted: boolean;
  readonly active: boolean;
  /** Whether it has a cancellation backlog, during which no claim takes its pending deliveries. */
  readonly cancelling: boolean;
  /** Whether its latest attempt failed. */
  readonly failing: boolean;
  /** Whether its account has reached the limit of pending deliveries. */
  readonly accountFull: boolean;
  /** Its pending deliveries, counted up to {@link maxPending}. */
  readonly pending: number;
  /**
   * Those in the lane of recoveries that are ready, counted up to {@link maxWaiting}. One that waits for the turn of its
   * subject holds up no other subject.
   */
  readonly waiting: number;
}

/** The part of a recovery that decides its next step. */
type StepRecovery = Pick<Recovery, 'until' | 'ratePerSecond' | 'creditedAt'>;

/** What a step does. */
type Step =
  /** Reads events with ids below `before`, and adds at most `room` deliveries. */
  | {
      readonly kind: 'add';
      readonly room: number;
      readonly before: string;
      readonly last: boolean;
      readonly waitsFor: RecoveryWait | null;
    }
  /** Adds nothing for `forMs` milliseconds. */
  | { readonly kind: 'wait'; readonly forMs: number; readonly waitsFor: RecoveryWait | null }
  | { readonly kind: 'pause' | 'cancel'; readonly reason: RecoveryReason };

/** One step adds at most this many deliveries. */
const maxRoom = 200;
/** A recovery adds none while its endpoint has this many pending deliveries. */
const maxPending = 1_000;
/** A failing endpoint gets one recovered event a minute, while it has fewer than this. */
const maxPendingWhileFailing = 100;
const probeEveryMs = 60_000;
/** At most as many deliveries wait in the lane as the rate takes in two seconds, and never more than this. */
export const maxWaiting = 400;
/** The pause between two steps. */
const stepMs = 100;
const waitMs = 1_000;
/** A transaction that publishes commits within this time, so older events are all visible. */
const visibleAfterMs = 60_000;

/** Decides the next step of a running recovery at `now`. */
export function decideStep(
  recovery: StepRecovery,
  endpoint: StepEndpoint | undefined,
  now: Date,
): Step {
  if (!endpoint || endpoint.deleted) return { kind: 'cancel', reason: 'endpoint_deleted' };
  if (!endpoint.active) return { kind: 'pause', reason: 'endpoint_inactive' };
  if (endpoint.cancelling) return { kind: 'wait', forMs: waitMs, waitsFor: 'cancellations' };
  if (endpoint.accountFull) return { kind: 'wait', forMs: waitMs, waitsFor: 'account_full' };

  const waitsFor = endpoint.failing ? 'endpoint_failing' : null;
  const room = endpoint.failing
    ? probeRoom(recovery, endpoint, now)
    : Math.min(
        roomByRate(recovery, now),
        Math.min(2 * recovery.ratePerSecond, maxWaiting) - endpoint.waiting,
        maxRoom,
      );

  if (endpoint.pending >= maxPending)
    return { kind: 'wait', forMs: waitMs, waitsFor: 'endpoint_backlog' };
  if (room <= 0) return { kind: 'wait', forMs: waitFor(recovery, endpoint, now), waitsFor };

  const end = recovery.until.getTime() + 1;
  const visibleUntil = now.getTime() - visibleAfterMs;
  const before = smallestId('evt', new Date(Math.min(end, visibleUntil)));
  return { kind: 'add', room, before, last: end <= visibleUntil, waitsFor };
}

/** Returns up to when the rate is used up after `added` deliveries; at most one second of it is saved. */
export function creditAfter(
  { creditedAt, ratePerSecond }: StepRecovery,
  added: number,
  now: Date,
): Date {
  if (added === 0) return creditedAt;
  const from = Math.max(creditedAt.getTime(), now.getTime() - 1_000);
  return new Date(from + Math.ceil((added * 1_000) / ratePerSecond));
}

function roomByRate({ creditedAt, ratePerSecond }: StepRecovery, now: Date): number {
  const savedMs = Math.min(1_000, now.getTime() - creditedAt.getTime());
  return Math.floor((savedMs * ratePerSecond) / 1_000);
}

function probeRoom({ creditedAt }: StepRecovery, { pending }: StepEndpoint, now: Date): number {
  const isDue = now.getTime() - creditedAt.getTime() >= probeEveryMs;
  return isDue && pending < maxPendingWhileFailing ? 1 : 0;
}

function waitFor(
  { creditedAt, ratePerSecond }: StepRecovery,
  endpoint: StepEndpoint,
  now: Date,
): number {
  if (endpoint.failing) return waitMs;
  const creditMs = creditedAt.getTime() + Math.ceil(1_000 / ratePerSecond) - now.getTime();
  return Math.min(waitMs, Math.max(stepMs, creditMs));
}

/** One step reads at most this many events of the account. */
const eventsPerStep = 2_000;

const stepFields = [
  'id',
  'accountId',
  'endpointId',
  'what',
  'until',
  'eventTypes',
  'includeBefore',
  'ratePerSecond',
  'position',
  'creditedAt',
] as const satisfies readonly (keyof Recovery)[];

/**
 * Locks the running recovery whose step is due first, and reads its endpoint. Other processes skip
 * it until the step commits.
 */
const lockStatement: Statement = {
  name: 'recovery_lock',
  text: `
    select ${selectionOf(stepFields)}, e.endpoint
      from (select * from recovery r where r.status = 'running' and r.next_step_at <= now()
             order by r.next_step_at limit 1 for update skip locked) r
      left join lateral (
        select json_build_object(
                 'deleted', e.deleted_at is not null, 'active', e.active,
                 'cancelling', e.cancelling_since is not null, 'failing', e.failing_since is not null,
                 'eventTypes', e.event_types, 'subscribedSince', e.subscribed_since,
                 'createdAt', e.created_at, 'filterPath', e.filter_path::text,
                 'retrySchedule', e.retry_schedule,
                 'accountFull', exists (
                   select from full_account f where f.account_id = e.account_id),
                 'pending', (select count(*) from (
                   select from pending_delivery c where c.endpoint_id = e.id limit ${maxPending}) c),
                 'waiting', (select count(*) from (
                   select from pending_delivery c
                    where c.ready and c.lane = 'recovery' and c.account_id = e.account_id
                      and c.endpoint_id = e.id limit ${maxWaiting}) c),
                 'hasUntried', exists (${untriedOf('e.account_id', 'e.id')})) as endpoint
          from endpoint e where e.id = r.endpoint_id limit 1) e on true`,
};

type Locked = Pick<Recovery, (typeof stepFields)[number]> & {
  readonly endpoint:
    | (StepEndpoint &
        Omit<Subscriptions, 'createdAt'> & {
          readonly createdAt: string;
          /** Whether a delivery of a recovery had no attempt yet. */
          readonly hasUntried: boolean;
          readonly retrySchedule: string | null;
        })
    | null;
};

const moveStatement: Statement = {
  name: 'recovery_move',
  text: `
    update recovery
       set position = $2, failed = failed + $3::int, missed = missed + $4::int, credited_at = $5,
           next_step_at = $6, waits_for = $7, updated_at = $8,
           status = case when $9::boolean then 'completed' else status end,
           ended_at = case when $9::boolean then $8::timestamptz end
     where id = $1`,
};

const waitStatement: Statement = {
  name: 'recovery_wait',
  text: `update recovery set next_step_at = $2, waits_for = $3 where id = $1`,
};

const stopStatement: Statement = {
  name: 'recovery_stop',
  text: `
    update recovery
       set status = $2, reason = $3, waits_for = null, updated_at = $4,
           ended_at = case when $2 = 'cancelled' then $4::timestamptz end
     where id = $1`,
};

async function takeStep(tx: Tx, locked: Locked): Promise<StepResult> {
  const step = decideStep(locked, locked.endpoint ?? undefined, tx.now);
  const nothing = { recoveryId: locked.id, failed: 0, missed: 0 };

  switch (step.kind) {
    case 'wait':
      await tx.sql(waitStatement, [locked.id, after(tx, step.forMs), step.waitsFor]);
      return nothing;
    case 'pause':
    case 'cancel':
      await tx.sql(stopStatement, [
        locked.id,
        step.kind === 'pause' ? 'paused' : 'cancelled',
        step.reason,
        tx.now,
      ]);
      return nothing;
    case 'add':
      return { ...nothing, ...(await add(tx, locked, step)) };
  }
}

type AddStep = Extract<Step, { kind: 'add' }>;

async function add(tx: Tx, locked: Locked, step: AddStep): Promise<Added> {
  const { accountId, endpointId, position, what } = locked;
  const { candidates, bound } = await findCandidates(tx, {
    accountId,
    endpointId,
    what,
    after: position,
    before: step.before,
    types: typesOf(locked),
    filterPath: locked.endpoint?.filterPath ?? null,
    // One more shows whether the step ends before its last event.
    limit: step.room + 1,
    events: eventsPerStep,
  });

  const chosen = candidates.slice(0, step.room);
  const isFull = candidates.length > step.room;
  const added =
    chosen.length > 0 ? await addDeliveries(tx, locked, chosen) : { failed: 0, missed: 0 };

  const reached = isFull ? chosen.at(-1)?.id : bound;
  const isEnd = reached == null && step.last;

  // A recovery ends after the first attempts of all that it added, so that it can be paused until then.
  const isDone = isEnd && chosen.length === 0 && locked.endpoint?.hasUntried === false;

  await tx.sql(moveStatement, [
    locked.id,
    reached ?? max(step.before, position),
    added.failed,
    added.missed,
    creditAfter(locked, added.failed + added.missed, tx.now),
    after(tx, reached == null && !step.last ? 10 * stepMs : stepMs),
    step.waitsFor,
    tx.now,
    isDone,
  ]);

  return added;
}

function typesOf({ endpoint, eventTypes, includeBefore }: Locked): ReadonlyMap<string, Date> {
  if (!endpoint) return new Map();
  const subscriptions = { ...endpoint, createdAt: new Date(endpoint.createdAt) };
  return recoveredTypes(subscriptions, eventTypes, includeBefore);
}

function after({ now }: Tx, ms: number): Date {
  return new Date(now.getTime() + ms);
}

function max(one: string, other: string): string {
  return one > other ? one : other;
}

/** A pending delivery of a recovery ends with these last characters of the recovery's id. */
export const tagLength = 8;

/**
 * Makes the id of a pending delivery that a recovery adds. The id tells the recovery. Records keep it, so
 * recording needs neither another column nor a counter.
 */
export function recoveredId(recoveryId: string, at: Date): string {
  return makeId('pdl', at).slice(0, -tagLength) + recoveryId.slice(-tagLength);
}

const lockReplaysStatement: Statement = {
  name: 'recovery_lock_replays',
  text: `
    select ${lockReplays('i')}
      from (select $1::text as endpoint_id, i.event_id from unnest($2::text[]) i (event_id)) i`,
};

/**
 * Adds deliveries of the candidates. Leaves out an event that was delivered, or got a pending delivery,
 * since it was found. Rows of one step are due a millisecond apart, so that claims take them in the order
 * of events. At an endpoint with order they wait for the turn of their subject, apart from what is published.
 */
const addStatement: Statement = {
  name: 'recovery_add',
  text: `
    with input as (
      select * from unnest($4::text[], $5::text[], $6::text[], $7::text[], $10::int[])
        with ordinality i (id, event_id, event_type, latest, body_bytes, place)
    ), added as (
      insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready,
                                    due_at, attempt, max_attempts, test, replayed_from, created_at,
                                    body_bytes, subject_key, subject_number)
      select i.id, $1, $2, i.event_id, i.event_type, 'recovery', k.subject_key is null,
             case when k.subject_key is null
                  then $9::timestamptz + i.place * interval '1 millisecond' else 'infinity' end,
             1, $8::int, false, i.latest, $9, i.body_bytes, k.subject_key,
             case when k.subject_key is not null then ${subjectNumberOf('i.place')} end
        from input i
        cross join lateral (
          select case when (select e.ordering from endpoint e where e.id = $2 limit 1) is not null then (
                   select ${subjectKeyOf('v.subject', 'recovery')} from event v
                    where v.id >= i.event_id and v.id <= i.event_id order by v.id limit 1)
                 end as subject_key
          offset 0) k
       where not ${isPending('i.event_id')}
         and (i.latest is null or (
           select true from ${recordsOf('i.event_id')} and d.status = 'success' limit 1) is null)
      returning replayed_from, subject_key
    )
    select count(a.replayed_from)::int as failed,
           (count(*) - count(a.replayed_from))::int as missed,
           json_agg(json_build_object('endpointId', $2::text, 'subjectKey', a.subject_key))
             filter (where a.subject_key is not null) as subjects
      from added a`,
};

/**
 * Adds deliveries of the candidates to an endpoint, in the lane of recoveries.
 * @returns how many it added for failed and for missed events
 */
async function addDeliveries(
  tx: Tx,
  { id, accountId, endpointId, endpoint }: Locked,
  candidates: readonly Candidate[],
): Promise<Added> {
  const replayable = candidates.filter(({ latest }) => latest !== null);
  if (replayable.length > 0)
    await tx.sql(lockReplaysStatement, [endpointId, replayable.map(({ id }) => id)]);

  type Row = Added & { readonly subjects: readonly OrderedSubject[] | null };
  const { subjects, ...added } = await singleRow<Row>(tx, addStatement, [
    accountId,
    endpointId,
    oldestRecord(candidates[0]?.id ?? ''),
    candidates.map(() => recoveredId(id, tx.now)),
    candidates.map((candidate) => candidate.id),
    candidates.map(({ type }) => type),
    candidates.map(({ latest }) => latest),
    attemptsOf(tx.rules.retry, endpoint?.retrySchedule ?? null),
    tx.now,
    candidates.map(({ bodyBytes }) => bodyBytes),
  ]);
  if (subjects) tx.wake({ ...deliveriesReady, subjects });

  return added;
}
