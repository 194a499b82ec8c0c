import { arrayLiteral } from '../../array-literal.js';
import type { Read, Statement, Transact, Tx } from '../../tx.js';
import type { EndedAttempt } from '../rules/attempt.js';
import { cancelPendingDeliveries } from '../cancel.js';
import { announceHealth } from '../announce-health.js';
import { disableEndpoints } from '../disable.js';
import { hourOf } from '../statistics/hour-of.js';
import {
  acceptAllStatement,
  acceptAtPlacesStatement,
  acceptStatement,
  fencedEndpoints,
} from './accept-statement.js';
import { isAwaitedReplay, notifyReplays } from './notify-replays.js';
import { evidenceParameter, storeEvidence } from './store-evidence.js';
import {
  acceptedColumns,
  columnsOf,
  fenceColumns,
  type HealthChange,
  healthChange,
  type EndpointSnapshot,
  type AttemptResult,
  attemptResultOf,
  isDeliverable,
} from '../rules/attempt-result.js';

/** What {@link recordResults} did. */
export interface RecordResult {
  /** What was recorded. The other attempts had lost their claims. */
  readonly recorded: readonly AttemptResult[];
  /** Endpoints that were disabled. */
  readonly disabled: readonly string[];
}

/** Locks the pending deliveries of the other attempts that still hold their claims. */
const fenceStatement: Statement = {
  name: 'record_fence',
  text: `
    with kept as (
      select i.place, c.endpoint_id
        from unnest($1::text[], $2::bigint[]) with ordinality i (id, token, place)
        cross join lateral (
          select c.endpoint_id from pending_delivery c
           where c.id = i.id and c.lease_token = i.token for update) c
    )${fencedEndpoints}`,
};

const lockStatement: Statement = {
  name: 'record_lock_endpoints',
  text: `
    select e.id, e.active and e.deleted_at is null as live, e.url,
           array_to_string(e.event_types, ' ') as "eventTypes",
           e.failing_since as "failingSince", e.failure_count as "failureCount", e.warnings
      from endpoint e where e.id = any ($1::text[]) order by e.id for update`,
};

const recordStatement: Statement = {
  name: 'record_other',
  text: `
    with input as (
      select * from unnest(
        $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
        $8::int[], $9::int[], $10::text[], $11::boolean[], $12::text[], $13::int[], $14::text[],
        $15::int[], $16::timestamptz[], $17::timestamptz[]
      ) i (pending_delivery_id, id, account_id, endpoint_id, event_id, event_type, event_version,
           attempt, max_attempts, status, test, replayed_from, response_status, failure_reason,
           duration_ms, created_at, due_at)
    ), ended as (
      delete from pending_delivery c
       where c.id = any (array(
         select i.pending_delivery_id from input i where i.due_at is null))
    ), retried as (
      update pending_delivery c
         set attempt = c.attempt + 1, lane = 'live', ready = false, lease_token = null,
             interruptions = 0, due_at = i.due_at, last_delivery_id = i.id
        from input i
       where c.id = any ($1::text[]) and c.id = i.pending_delivery_id and i.due_at is not null
    ), counted as (
      insert into delivery_statistics_delta (
        endpoint_id, hour, failed, abandoned, retries, durations_ms)
      select i.endpoint_id, ${hourOf('i.created_at')},
             nullif(count(*) filter (where i.status = 'failed'), 0),
             nullif(count(*) filter (where i.status = 'abandoned'), 0),
             nullif(count(*) filter (where i.attempt > 1), 0),
             array_agg(i.duration_ms) filter (where i.duration_ms is not null)
        from input i where not i.test group by 1, 2
    ), evidence as (${storeEvidence('$18', 'select i.id from input i')}
    )
    insert into delivery (
      id, pending_delivery_id, account_id, endpoint_id, event_id, event_type, event_version, attempt,
      max_attempts, status, test, replayed_from, response_status, failure_reason, duration_ms,
      created_at)
    select i.id, i.pending_delivery_id, i.account_id, i.endpoint_id, i.event_id, i.event_type,
           i.event_version, i.attempt, i.max_attempts, i.status, i.test, i.replayed_from,
           i.response_status, i.failure_reason, i.duration_ms, i.created_at
      from input i`,
};

const healthStatement: Statement = {
  name: 'record_health',
  text: `
    update endpoint e
       set failing_since = i.failing_since, failure_count = i.failure_count, warnings = i.warnings,
           resumed_at = case when e.failing_since is not null and i.failing_since is null
                             then now() else e.resumed_at end
      from unnest($1::text[], $2::timestamptz[], $3::int[], $4::smallint[])
           i (id, failing_since, failure_count, warnings)
     where e.id = any ($1::text[]) and e.id = i.id`,
};

interface AcceptedRow {
  /** Which of the attempts were recorded, as in {@link EndpointRow}; null for none. */
  readonly places: string | null;
  /** Whether the health of an endpoint must change, so nothing was recorded. */
  readonly healthChanges: boolean;
}

interface EndpointRow extends EndpointSnapshot {
  /** Which of the ended attempts still hold their claims: numbers from 1, separated by spaces. */
  readonly places: string;
}

/**
 * Records a batch of ended attempts as {@link recordResults} does. Most batches take one statement
 * without a transaction block. Attempts whose pending deliveries were moved since they were claimed
 * follow in another. A call that fails between the two may be repeated, as one whose answer was lost.
 */
export async function recordBatch(
  { read, transact }: { readonly read: Read; readonly transact: Transact },
  ended: readonly EndedAttempt[],
): Promise<RecordResult> {
  const inTransaction = (some: readonly EndedAttempt[]) =>
    transact((tx) => recordResults(tx, some));
  if (!ended.every(isAccepted) || ended.some(isAwaitedReplay)) return inTransaction(ended);
  const found = ended.some(({ evidence }) => evidence) ? [] : await acceptAtPlaces(read, ended);
  if (!found) return inTransaction(ended);
  const atPlace = new Set(found);
  const others = ended.filter((each) => !atPlace.has(each));
  const rest = others.length > 0 ? await acceptAll(read, others) : [];
  const { recorded, disabled } = rest
    ? { recorded: rest.map(asSuccess), disabled: [] }
    : await inTransaction(others);
  return { recorded: [...found.map(asSuccess), ...recorded], disabled };
}

const acceptAtPlaces = (read: Read, ended: readonly EndedAttempt[]) =>
  accept(read, acceptAtPlacesStatement, ended, [
    arrayLiteral(ended.map(({ claim }) => claim.ctid)),
    arrayLiteral([...new Set(ended.map(({ claim }) => claim.endpointId))]),
  ]);

const acceptAll = (read: Read, ended: readonly EndedAttempt[]) =>
  accept(read, acceptAllStatement, ended, [evidenceParameter(ended)]);

/** @returns those that are recorded; undefined, with nothing recorded, if that needs a transaction */
async function accept(
  read: Read,
  statement: Statement,
  ended: readonly EndedAttempt[],
  values: readonly string[],
): Promise<readonly EndedAttempt[] | undefined> {
  const [row] = await read.sql<AcceptedRow>(statement, [...acceptedColumns(ended), ...values]);
  return row && !row.healthChanges ? atPlaces(ended, [row.places]) : undefined;
}

/**
 * Records a batch of ended attempts in the caller's transaction, with everything that follows from
 * them:
 * - records and next attempts, with their wake-ups;
 * - the health of their endpoints;
 * - disabled endpoints, with cancellations;
 * - notices and events about endpoints that fail, recovered or were disabled.
 * Skips single attempts whose pending delivery another process has claimed since. Runs one
 * statement when all were accepted, two more for those that were not, and two more when the health
 * of an endpoint changes.
 */
export async function recordResults(tx: Tx, ended: readonly EndedAttempt[]): Promise<RecordResult> {
  const endpoints = new Map<string, EndpointSnapshot>();
  const good = ended.filter(isAccepted);
  const bad = ended.filter(isOther);
  const goodColumns = [...acceptedColumns(good), evidenceParameter(good)];
  const accepted = await fence(tx, acceptStatement, good, goodColumns, endpoints);
  const others = await fence(tx, fenceStatement, bad, fenceColumns(bad), endpoints);
  const fenced = [...accepted, ...others];
  if (fenced.length === 0) return { recorded: [], disabled: [] };
  const changes = await findHealthChanges(tx, endpoints, fenced);
  const disables = changes.filter(({ disable }) => disable !== undefined);
  const dead = new Set(disables.map(({ endpointId }) => endpointId));
  const recorded = [
    ...accepted.map(asSuccess),
    ...(await writeResults(tx, others, endpoints, dead)),
  ];
  if (changes.length > 0) await writeHealth(tx, changes);
  if (disables.length > 0) {
    await disableEndpoints(tx, disables);
    await cancelPendingDeliveries(
      tx,
      disables.map(({ endpointId }) => endpointId),
    );
  }
  await announceHealth(tx, changes);
  await notifyReplays(tx, fenced);
  return { recorded, disabled: disables.map(({ endpointId }) => endpointId) };
}

const isAccepted = ({ outcome }: EndedAttempt) => outcome.kind === 'accepted';
const isOther = (ended: EndedAttempt) => !isAccepted(ended);
const asSuccess = (ended: EndedAttempt): AttemptResult => ({
  ended,
  status: 'success',
  dueAt: null,
});

/** @param places numbers from 1, separated by spaces */
function atPlaces(
  ended: readonly EndedAttempt[],
  places: readonly (string | null)[],
): EndedAttempt[] {
  const numbers = new Set(places.flatMap((each) => each?.split(' ').map(Number) ?? []));
  return ended.filter((_each, index) => numbers.has(index + 1));
}

/**
 * Runs a fencing statement and collects the endpoints it returns. @returns attempts that still hold
 * their claims
 */
async function fence(
  tx: Tx,
  statement: Statement,
  ended: readonly EndedAttempt[],
  columns: readonly string[],
  endpoints: Map<string, EndpointSnapshot>,
): Promise<readonly EndedAttempt[]> {
  if (ended.length === 0) return [];
  const rows = await tx.sql<EndpointRow>(statement, columns);
  for (const row of rows) endpoints.set(row.id, row);
  return atPlaces(
    ended,
    rows.map(({ places }) => places),
  );
}

/** Finds changes without a lock, then locks only those endpoints, in id order, and checks again. */
async function findHealthChanges(
  tx: Tx,
  endpoints: Map<string, EndpointSnapshot>,
  recorded: readonly EndedAttempt[],
): Promise<HealthChange[]> {
  const attempts = new Map<string, EndedAttempt[]>();
  for (const each of recorded) {
    const { endpointId } = each.claim;
    const others = attempts.get(endpointId);
    if (others) others.push(each);
    else attempts.set(endpointId, [each]);
  }
  const changes = (candidates: Iterable<EndpointSnapshot>) =>
    [...candidates].flatMap(
      (endpoint) => healthChange(endpoint, attempts.get(endpoint.id) ?? [], tx.rules.retry) ?? [],
    );
  const ids = changes(endpoints.values()).map(({ endpointId }) => endpointId);
  if (ids.length === 0) return [];
  const locked = await tx.sql<EndpointSnapshot>(lockStatement, [ids]);
  for (const endpoint of locked) endpoints.set(endpoint.id, endpoint);
  return changes(locked);
}

async function writeResults(
  tx: Tx,
  recorded: readonly EndedAttempt[],
  endpoints: ReadonlyMap<string, EndpointSnapshot>,
  disabled: ReadonlySet<string>,
): Promise<AttemptResult[]> {
  if (recorded.length === 0) return [];
  const { retry, random } = tx.rules;
  const results = recorded.map((attempt) => {
    const endpoint = endpoints.get(attempt.claim.endpointId);
    const deliverable =
      endpoint !== undefined && !disabled.has(endpoint.id) && isDeliverable(endpoint, attempt);
    return attemptResultOf(attempt, deliverable, retry, random);
  });
  await tx.sql(recordStatement, [...columnsOf(results), evidenceParameter(recorded)]);
  const seconds = new Set(
    results.flatMap(({ dueAt }) => (dueAt ? Math.ceil(dueAt.getTime() / 1_000) : [])),
  );
  for (const second of seconds) tx.wake({ kind: 'due', at: new Date(second * 1_000) });
  return results;
}

async function writeHealth(tx: Tx, changes: readonly HealthChange[]): Promise<void> {
  await tx.sql(healthStatement, [
    changes.map(({ endpointId }) => endpointId),
    changes.map(({ health }) => health.failingSince?.toISOString() ?? null),
    changes.map(({ health }) => health.failureCount),
    changes.map(({ health }) => health.warnings),
  ]);
}
