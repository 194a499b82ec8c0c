import { selectionOf } from '../columns.js';
import type { Statement, Transact, Tx } from '../tx.js';
import { type Added, addDeliveries } from './add-deliveries.js';
import { findCandidates } from './candidates-statement.js';
import {
  creditAfter,
  decideStep,
  maxPending,
  maxWaiting,
  stepMs,
  type Step,
  type StepEndpoint,
} from './decide-step.js';
import { recoveredTypes, type Subscriptions } from './recovered-types.js';
import type { Recovery } from './recovery.entity.js';

/** What a step did. */
export interface StepResult extends Added {
  readonly recoveryId: string;
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
                 'createdAt', e.created_at,
                 'accountFull', exists (
                   select from full_account f where f.account_id = e.account_id),
                 'pending', (select count(*) from (
                   select from pending_delivery c where c.endpoint_id = e.id limit ${maxPending}) c),
                 'waiting', (select count(*) from (
                   select from pending_delivery c
                    where c.ready and c.lane = 'recovery' and c.account_id = e.account_id
                      and c.endpoint_id = e.id limit ${maxWaiting}) c)) as endpoint
          from endpoint e where e.id = r.endpoint_id limit 1) e on true`,
};

type Locked = Pick<Recovery, (typeof stepFields)[number]> & {
  readonly endpoint:
    | (StepEndpoint & Omit<Subscriptions, 'createdAt'> & { readonly createdAt: string })
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

/**
 * Runs the step that is due first, in one transaction: the deliveries that it adds and the position
 * of the recovery are committed together, so that a crash repeats and skips nothing.
 * @returns undefined when no step is due, or other processes run them
 */
export function runRecoveryStep(transact: Transact): Promise<StepResult | undefined> {
  const first = { statement: lockStatement, values: [] };
  return transact(
    async (tx) => {
      const [locked] = tx.first as readonly Locked[];
      return locked && takeStep(tx, locked);
    },
    { first },
  );
}

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
  const { found, bound } = await findCandidates(tx, {
    accountId,
    endpointId,
    what,
    after: position,
    before: step.before,
    types: typesOf(locked),
    // One more shows whether the step ends before its last event.
    limit: step.room + 1,
    events: eventsPerStep,
  });
  const chosen = found.slice(0, step.room);
  const isFull = found.length > step.room;
  const added =
    chosen.length > 0 ? await addDeliveries(tx, locked, chosen) : { failed: 0, missed: 0 };
  const reached = isFull ? chosen.at(-1)?.id : bound;
  const isEnd = reached == null && step.last;
  // It ends when the first attempts of all it added have ended, so that it can be paused until then.
  const isDone = isEnd && chosen.length === 0 && locked.endpoint?.waiting === 0;
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
