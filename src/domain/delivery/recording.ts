// Records ended attempts: the delivery record, its evidence, the statistics, the health of the endpoint, and
// what comes next (done, retry, abandoned, endpoint disabled).
//
// Accepted attempts need no decision: one statement deletes their rows where they were claimed and records
// them. All others go through a fence, which locks the rows that still carry their token, and one transaction.
//
// Invariant: an attempt is recorded at most once, and only under the token of its claim. A crash leaves nothing
// half recorded: without its commit, the lease of the claim ends and the delivery is sent again.
import { arrayLiteral } from '../transaction/sql.js';
import type { Read, Statement, Transact, Tx } from '../transaction/tx.js';
import type { OrderedSubject } from '../transaction/wakeup.js';
import type { EndedAttempt } from './attempt.js';
import { cancelPendingDeliveries } from './cancel.js';
import { announceHealth, type HealthChange } from './health.js';
import { hourOf } from './statistics.js';
import { isAwaitedReplay, notifyReplays } from './replay.js';
import { advanceSubjects } from './subject-order.js';
import {
  acceptedColumns,
  columnsOf,
  fenceColumns,
  healthChange,
  type EndpointSnapshot,
  type AttemptResult,
  attemptResultOf,
  isDeliverable,
} from './attempt-result.js';

/** What {@link recordResults} did. */
export interface RecordResult {
  /** What was recorded. The other attempts had lost their claims. */
  readonly recorded: readonly AttemptResult[];
  /** Endpoints that were disabled. */
  readonly disabled: readonly string[];
}

/**
 * Records a batch of ended attempts as {@link recordResults} does. Most batches take one statement
 * without a transaction block. Attempts that it does not find follow in a transaction. A call that
 * fails between the two can be repeated safely, like a call whose response was lost.
 */
export async function recordBatch(
  { read, transact }: { readonly read: Read; readonly transact: Transact },
  ended: readonly EndedAttempt[],
): Promise<RecordResult> {
  // A result that lets the next of its subject go is recorded in a transaction with that.
  const unordered = ended.filter(({ claim }) => claim.subjectKey === null);
  const mayAccept = unordered.length > 0 && unordered.every(needsNoDecision);
  const acceptedAtPlaces = mayAccept ? await acceptAtPlaces(read, unordered) : [];
  const accepted = acceptedAtPlaces.map(asSuccess);
  if (acceptedAtPlaces.length === ended.length) return { recorded: accepted, disabled: [] };

  const recordedAlready = new Set(acceptedAtPlaces);
  const others = ended.filter((attempt) => !recordedAlready.has(attempt));
  const { recorded, disabled } = await transact((tx) => recordResults(tx, others));
  return { recorded: [...accepted, ...recorded], disabled };
}

/**
 * Records accepted attempts by {@link acceptAtCtidsStatement}.
 * @returns the attempts that it recorded; none if the health of an endpoint must change with them
 */
async function acceptAtPlaces(
  read: Read,
  ended: readonly EndedAttempt[],
): Promise<readonly EndedAttempt[]> {
  const [row] = await read.sql<{ readonly acceptedOrdinals: string | null }>(
    acceptAtCtidsStatement,
    [
      ...acceptedColumns(ended),
      arrayLiteral(ended.map(({ claim }) => claim.ctid)),
      arrayLiteral([...new Set(ended.map(({ claim }) => claim.endpointId))]),
    ],
  );
  return atOrdinals(ended, [row?.acceptedOrdinals ?? null]);
}

/**
 * Records a batch of ended attempts in the caller's transaction, with everything that follows from
 * them:
 * - records and next attempts, with their wake-ups;
 * - the health of their endpoints;
 * - disabled endpoints, with cancellations;
 * - the next deliveries of ordered subjects;
 * - notices and events about endpoints that fail, recovered or were disabled.
 * Skips single attempts whose pending delivery another process has claimed since. Runs one
 * statement when all were accepted, two more for those that were not, and two more when the health
 * of an endpoint changes.
 */
export async function recordResults(tx: Tx, ended: readonly EndedAttempt[]): Promise<RecordResult> {
  const endpoints = new Map<string, EndpointSnapshot>();
  const successes = ended.filter(isAccepted);
  const failures = ended.filter(isUnaccepted);
  const successColumns = [...acceptedColumns(successes), evidenceParameter(successes)];
  const accepted = await fence(tx, acceptStatement, successes, successColumns, endpoints);
  const others = await fence(tx, fenceStatement, failures, fenceColumns(failures), endpoints);
  const fenced = [...accepted, ...others];
  if (fenced.length === 0) return { recorded: [], disabled: [] };

  const changes = await findHealthChanges(tx, endpoints, fenced);
  const disables = changes.filter(({ disable }) => disable !== undefined);
  const disabledIds = new Set(disables.map(({ endpointId }) => endpointId));
  const recorded = [
    ...accepted.map(asSuccess),
    ...(await writeResults(tx, others, endpoints, disabledIds)),
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
  // Last, because others wait for the locks of these endpoints.
  await advanceSubjects(tx, recorded.flatMap(subjectThatEnded));

  return { recorded, disabled: disables.map(({ endpointId }) => endpointId) };
}

/** Whether an attempt is recorded by its record alone, unless it ends a run of failures. */
const needsNoDecision = (ended: EndedAttempt) =>
  isAccepted(ended) && !ended.evidence && !isAwaitedReplay(ended);

const isAccepted = ({ outcome }: EndedAttempt) => outcome.kind === 'accepted';

const isUnaccepted = (ended: EndedAttempt) => !isAccepted(ended);

const subjectThatEnded = ({ dueAt, ended: { claim } }: AttemptResult): OrderedSubject[] => {
  const { endpointId, subjectKey } = claim;
  return dueAt === null && subjectKey !== null ? [{ endpointId, subjectKey }] : [];
};

const asSuccess = (ended: EndedAttempt): AttemptResult => ({
  ended,
  status: 'success',
  dueAt: null,
});

/** The attempts at these positions of a batch. @param ordinals numbers from 1, separated by spaces */
function atOrdinals(
  ended: readonly EndedAttempt[],
  ordinals: readonly (string | null)[],
): EndedAttempt[] {
  const numbers = new Set(ordinals.flatMap((text) => text?.split(' ').map(Number) ?? []));
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
  return atOrdinals(
    ended,
    rows.map(({ ordinals }) => ordinals),
  );
}

interface EndpointRow extends EndpointSnapshot {
  /** Which of the ended attempts still hold their claims: numbers from 1, separated by spaces. */
  readonly ordinals: string;
}

/** Finds changes of health without a lock, then locks only those endpoints, in id order, and checks again. */
async function findHealthChanges(
  tx: Tx,
  endpoints: Map<string, EndpointSnapshot>,
  recorded: readonly EndedAttempt[],
): Promise<HealthChange[]> {
  const attemptsOf = new Map<string, EndedAttempt[]>();

  for (const attempt of recorded) {
    const { endpointId } = attempt.claim;
    const attempts = attemptsOf.get(endpointId);
    if (attempts) attempts.push(attempt);
    else attemptsOf.set(endpointId, [attempt]);
  }

  const changesOf = (candidates: Iterable<EndpointSnapshot>) =>
    [...candidates].flatMap(
      (endpoint) => healthChange(endpoint, attemptsOf.get(endpoint.id) ?? [], tx.rules.retry) ?? [],
    );

  const ids = changesOf(endpoints.values()).map(({ endpointId }) => endpointId);
  if (ids.length === 0) return [];

  const locked = await tx.sql<EndpointSnapshot>(lockStatement, [ids]);
  for (const endpoint of locked) endpoints.set(endpoint.id, endpoint);

  return changesOf(locked);
}

/** Writes the records of attempts that were not accepted, and wakes workers when their next ones are due. */
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

/**
 * Disables endpoints whose rows the transaction has locked. The caller cancels their open pending
 * deliveries and tells their owners.
 */
async function disableEndpoints(tx: Tx, changes: readonly HealthChange[]): Promise<void> {
  await tx.sql(disableStatement, [
    changes.map(({ endpointId }) => endpointId),
    changes.map(({ disable }) => disable),
    tx.now,
  ]);
}

/** The evidence of these attempts, as a parameter of a statement. */
function evidenceParameter(ended: readonly EndedAttempt[]): string {
  return JSON.stringify(
    ended.flatMap(({ deliveryId, evidence }) => (evidence ? [{ deliveryId, ...evidence }] : [])),
  );
}

/** Selects the endpoints of attempts that still hold their claims, which are in the CTE `kept`. */
const fencedEndpoints = `
    select k.ordinals, e.id, e.active and e.deleted_at is null as live,
           array_to_string(e.event_types, ' ') as "eventTypes", e.failing_since as "failingSince",
           e.failure_count as "failureCount", e.warnings
      from (select k.endpoint_id, string_agg(k.ordinal::text, ' ') as ordinals
              from kept k group by k.endpoint_id) k
      cross join lateral (select * from endpoint e where e.id = k.endpoint_id limit 1) e`;

/** Locks the pending deliveries of the other attempts that still hold their claims. */
const fenceStatement: Statement = {
  name: 'record_fence',
  text: `
    with kept as (
      select i.ordinal, c.endpoint_id
        from unnest($1::text[], $2::bigint[]) with ordinality i (id, token, ordinal)
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

/**
 * In SQL: stores the evidence of attempts whose records are written.
 * @param parameter what {@link evidenceParameter} returned
 * @param recorded selects the ids of those records
 */
const storeEvidence = (parameter: string, recorded: string): string => `
      insert into delivery_evidence (
        delivery_id, url, request_headers, phase, address, tls_version, detail, lookup_ms,
        connect_ms, tls_ms, first_byte_ms, total_ms, response_headers, body, body_truncated)
      select e."deliveryId", e.url, e."requestHeaders", e.phase, e.address, e."tlsVersion",
             e.detail, e."lookupMs", e."connectMs", e."tlsMs", e."firstByteMs", e."totalMs",
             e."responseHeaders", decode(e.body, 'base64'), e."bodyTruncated"
        from json_to_recordset(${parameter}::json) e (
               "deliveryId" text, url text, "requestHeaders" json, phase text, address text,
               "tlsVersion" text, detail text, "lookupMs" int, "connectMs" int, "tlsMs" int,
               "firstByteMs" int, "totalMs" int, "responseHeaders" json, body text,
               "bodyTruncated" boolean)
       where e."deliveryId" in (${recorded})`;

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

const times = `to_timestamp(i.created_ms / 1000) as created_at,
             to_timestamp((i.created_ms + i.duration_ms) / 1000) as delivered_at`;

/** In SQL: writes records and statistics of accepted attempts, which are in the CTE `kept`. */
const writeKept = `recorded as (
      insert into delivery (
        id, pending_delivery_id, account_id, endpoint_id, event_id, event_type, event_version, attempt,
        max_attempts, status, test, replayed_from, response_status, duration_ms, created_at,
        delivered_at)
      select k.id, k.pending_delivery_id, k.account_id, k.endpoint_id, k.event_id, k.event_type,
             k.event_version, k.attempt, k.max_attempts, 'success', k.test, k.replayed_from,
             k.response_status, k.duration_ms, k.created_at, k.delivered_at
        from kept k
    ), counted as (
      insert into delivery_statistics_delta (endpoint_id, hour, success, retries, durations_ms)
      select k.endpoint_id, ${hourOf('k.created_at')}, count(*),
             nullif(count(*) filter (where k.attempt > 1), 0), array_agg(k.duration_ms)
        from kept k where not k.test group by 1, 2
    )`;

/**
 * Records accepted attempts whose claims still hold, and deletes their pending deliveries:
 * - `found` finds each pending delivery by its key, and `gone` deletes it by its ctid. The planner could turn a
 *   join of both into a nested loop over all pairs.
 * - `kept` holds those that were deleted. One that another transaction took meanwhile is not among them, so its
 *   attempt is not recorded.
 */
const acceptStatement: Statement = {
  name: 'record_accepted',
  text: `
    with input as (
      select i.*, ${times}
        from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::int[], $6::int[], $7::float8[])
          with ordinality
        i (pending_delivery_id, token, id, event_version, response_status, duration_ms, created_ms, ordinal)
    ), found as (
      select i.*, c.row_ctid, c.account_id, c.endpoint_id, c.event_id, c.event_type, c.attempt,
             c.max_attempts, c.test, c.replayed_from
        from input i
        cross join lateral (
          select c.ctid as row_ctid, c.* from pending_delivery c
           where c.id = i.pending_delivery_id and c.lease_token = i.token limit 1) c
    ), gone as (
      delete from pending_delivery c
       where c.ctid = any (array(select f.row_ctid from found f))
         and c.lease_token = any ($2::bigint[])
      returning c.id
    ), kept as (
      select f.* from found f where coalesce(f.pending_delivery_id in (select g.id from gone g), false)
    ), ${writeKept}, evidence as (${storeEvidence('$8', 'select k.id from kept k')})${fencedEndpoints}`,
};

/**
 * Records accepted attempts whose pending deliveries are still where they were claimed, without evidence. It
 * finds and deletes each by its ctid, without a search in the index (ADR 0062).
 * - `recovering` finds endpoints whose run of failures one of the attempts ends. These must change in the same
 *   transaction, so the statement then records none.
 * - `kept` deletes the pending deliveries. A ctid may name another row by now, so id and token are compared, too.
 *   No index serves `is not distinct from`: by `=` a plan made for an empty table reads the whole table for each
 *   row.
 */
const acceptAtCtidsStatement: Statement = {
  name: 'record_all_accepted_at_places',
  text: `
    with recovering as (
      select from unnest($9::text[]) f (endpoint_id)
        cross join lateral (select * from endpoint e where e.id = f.endpoint_id limit 1) e
       where e.active and e.deleted_at is null
         and (e.failing_since is not null or e.failure_count > 0)
    ), kept as (
      delete from pending_delivery c
       using unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::int[], $6::int[],
                    $7::float8[], $8::tid[]) with ordinality
             i (pending_delivery_id, token, id, event_version, response_status, duration_ms,
                created_ms, row_ctid, ordinal)
       where c.ctid = i.row_ctid and c.id is not distinct from i.pending_delivery_id
         and c.lease_token = i.token and not exists (select from recovering)
      returning i.ordinal, i.id, i.pending_delivery_id, c.account_id, c.endpoint_id, c.event_id,
                c.event_type, i.event_version, c.attempt, c.max_attempts, c.test, c.replayed_from,
                i.response_status, i.duration_ms, ${times}
    ), ${writeKept}
    select string_agg(k.ordinal::text, ' ') as "acceptedOrdinals" from kept k`,
};

const disableStatement: Statement = {
  name: 'endpoint_disable',
  text: `
    update endpoint e
       set active = false, disabled_reason = i.reason,
           updated_at = greatest($3::timestamptz(3), e.updated_at + interval '1 millisecond')
      from unnest($1::text[], $2::text[]) i (id, reason)
     where e.id = any ($1::text[]) and e.id = i.id`,
};
