import type { Statement, Tx } from '../tx.js';
import type { EndedAttempt } from './attempt.js';
import { cancelChains } from './cancel.js';
import { disableEndpoints } from './disable.js';
import { notifyReplays } from './replay-signal.js';
import {
  acceptedColumns,
  columnsOf,
  fenceColumns,
  type HealthChange,
  healthChange,
  type SettledEndpoint,
  type Settlement,
  settlementOf,
  takes,
} from './settlement.js';

/** What a settlement did. */
export interface SettleResult {
  /** What was recorded; the other attempts had lost their claim. */
  readonly settled: readonly Settlement[];
  /** Endpoints that were disabled by it. */
  readonly disabled: readonly string[];
}

/** What a statement tells of the endpoints whose attempts still held their claims: `kept` has them. */
const keptEndpoints = `
    select k.places, e.id, e.active and e.deleted_at is null as live,
           array_to_string(e.event_types, ' ') as "eventTypes", e.failing_since as "failingSince",
           e.failure_count as "failureCount"
      from (select k.endpoint_id, string_agg(k.place::text, ' ') as places
              from kept k group by k.endpoint_id) k
      cross join lateral (select * from endpoint e where e.id = k.endpoint_id limit 1) e`;

/**
 * Ends the chains of accepted attempts whose claim still holds and records them: nothing to decide. Each
 * chain is looked up by its key and deleted by its place; a join of both could be planned as a
 * comparison of each with each. What somebody took meanwhile is not among those that are gone, and is
 * not recorded.
 */
const acceptStatement: Statement = {
  name: 'settle_accepted',
  text: `
    with input as (
      select * from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::int[], $6::int[],
                           $7::timestamptz[], $8::timestamptz[]) with ordinality
        i (chain_id, token, id, event_version, response_status, duration_ms, created_at,
           delivered_at, place)
    ), found as (
      select i.*, c.row_place, c.account_id, c.endpoint_id, c.event_id, c.event_type, c.attempt,
             c.max_attempts, c.test, c.replayed_from
        from input i
        cross join lateral (
          select c.ctid as row_place, c.* from chain c
           where c.id = i.chain_id and c.lease_token = i.token limit 1) c
    ), gone as (
      delete from chain c
       where c.ctid = any (array(select f.row_place from found f))
         and c.lease_token = any ($2::bigint[])
      returning c.id
    ), kept as (
      select f.* from found f where coalesce(f.chain_id in (select g.id from gone g), false)
    ), recorded as (
      insert into delivery (
        id, chain_id, account_id, endpoint_id, event_id, event_type, event_version, attempt,
        max_attempts, status, test, replayed_from, response_status, duration_ms, created_at,
        delivered_at)
      select k.id, k.chain_id, k.account_id, k.endpoint_id, k.event_id, k.event_type,
             k.event_version, k.attempt, k.max_attempts, 'success', k.test, k.replayed_from,
             k.response_status, k.duration_ms, k.created_at, k.delivered_at
        from kept k
    )${keptEndpoints}`,
};

/** Locks the chains of the other attempts whose claim still holds. */
const fenceStatement: Statement = {
  name: 'settle_fence',
  text: `
    with kept as (
      select i.place, c.endpoint_id
        from unnest($1::text[], $2::bigint[]) with ordinality i (id, token, place)
        cross join lateral (
          select c.endpoint_id from chain c
           where c.id = i.id and c.lease_token = i.token for update) c
    )${keptEndpoints}`,
};

const lockStatement: Statement = {
  name: 'settle_lock_endpoints',
  text: `
    select e.id, e.active and e.deleted_at is null as live, e.url,
           array_to_string(e.event_types, ' ') as "eventTypes",
           e.failing_since as "failingSince", e.failure_count as "failureCount"
      from endpoint e where e.id = any ($1::text[]) order by e.id for update`,
};

const recordStatement: Statement = {
  name: 'settle_record',
  text: `
    with input as (
      select * from unnest(
        $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
        $8::int[], $9::int[], $10::text[], $11::boolean[], $12::text[], $13::int[], $14::text[],
        $15::int[], $16::timestamptz[], $17::timestamptz[]
      ) i (chain_id, id, account_id, endpoint_id, event_id, event_type, event_version,
           attempt, max_attempts, status, test, replayed_from, response_status, failure_reason,
           duration_ms, created_at, due_at)
    ), ended as (
      delete from chain c
       where c.id = any (array(
         select i.chain_id from input i where i.due_at is null))
    ), retried as (
      update chain c
         set attempt = c.attempt + 1, lane = 'live', ready = false, lease_token = null,
             interruptions = 0, due_at = i.due_at, last_delivery_id = i.id
        from input i
       where c.id = any ($1::text[]) and c.id = i.chain_id and i.due_at is not null
    )
    insert into delivery (
      id, chain_id, account_id, endpoint_id, event_id, event_type, event_version, attempt,
      max_attempts, status, test, replayed_from, response_status, failure_reason, duration_ms,
      created_at)
    select i.id, i.chain_id, i.account_id, i.endpoint_id, i.event_id, i.event_type,
           i.event_version, i.attempt, i.max_attempts, i.status, i.test, i.replayed_from,
           i.response_status, i.failure_reason, i.duration_ms, i.created_at
      from input i`,
};

const healthStatement: Statement = {
  name: 'settle_health',
  text: `
    update endpoint e
       set failing_since = i.failing_since, failure_count = i.failure_count
      from unnest($1::text[], $2::timestamptz[], $3::int[])
           i (id, failing_since, failure_count)
     where e.id = any ($1::text[]) and e.id = i.id`,
};

interface EndpointRow extends SettledEndpoint {
  /** Which of the ended attempts to it still held their claims: numbers from 1, between spaces. */
  readonly places: string;
}

/**
 * Settles a batch of ended attempts in the transaction: their records, what follows, the health of
 * their endpoints, disabling with its notice and cancellations, and the wake-ups of all that.
 * An attempt whose chain has been claimed by somebody else since is left out, row by row.
 * One statement when all were accepted, two more for those that were not, two more when the health
 * of an endpoint changes.
 */
export async function settle(tx: Tx, ended: readonly EndedAttempt[]): Promise<SettleResult> {
  const endpoints = new Map<string, SettledEndpoint>();
  const [good, bad] = [ended.filter(isAccepted), ended.filter(isOther)];
  const accepted = await keep(tx, acceptStatement, good, acceptedColumns(good), endpoints);
  const others = await keep(tx, fenceStatement, bad, fenceColumns(bad), endpoints);
  const kept = [...accepted, ...others];
  if (kept.length === 0) return { settled: [], disabled: [] };
  const changes = await judgeHealth(tx, endpoints, kept);
  const disables = changes.filter(({ disable }) => disable !== undefined);
  const dead = new Set(disables.map(({ endpointId }) => endpointId));
  const settled = [
    ...accepted.map((each): Settlement => ({ ended: each, status: 'success', dueAt: null })),
    ...(await record(tx, others, endpoints, dead)),
  ];
  if (changes.length > 0) await writeHealth(tx, changes);
  if (disables.length > 0) {
    await disableEndpoints(tx, disables);
    await cancelChains(
      tx,
      disables.map(({ endpointId }) => endpointId),
    );
  }
  await notifyReplays(tx, kept);
  return { settled, disabled: disables.map(({ endpointId }) => endpointId) };
}

const isAccepted = ({ outcome }: EndedAttempt) => outcome.kind === 'accepted';
const isOther = (ended: EndedAttempt) => !isAccepted(ended);

/** Runs a fencing statement; notes the endpoints it tells of. @returns whose claims still held */
async function keep(
  tx: Tx,
  statement: Statement,
  ended: readonly EndedAttempt[],
  columns: readonly string[],
  endpoints: Map<string, SettledEndpoint>,
): Promise<readonly EndedAttempt[]> {
  if (ended.length === 0) return [];
  const rows = await tx.sql<EndpointRow>(statement, columns);
  for (const row of rows) endpoints.set(row.id, row);
  const places = new Set(rows.flatMap((row) => row.places.split(' ').map(Number)));
  return ended.filter((_each, index) => places.has(index + 1));
}

/** Finds what changes without a lock, then locks only those endpoints, in id order, and looks again. */
async function judgeHealth(
  tx: Tx,
  endpoints: Map<string, SettledEndpoint>,
  settled: readonly EndedAttempt[],
): Promise<HealthChange[]> {
  const attempts = new Map<string, EndedAttempt[]>();
  for (const each of settled) {
    const { endpointId } = each.claim;
    const others = attempts.get(endpointId);
    if (others) others.push(each);
    else attempts.set(endpointId, [each]);
  }
  const changes = (candidates: Iterable<SettledEndpoint>) =>
    [...candidates].flatMap(
      (endpoint) => healthChange(endpoint, attempts.get(endpoint.id) ?? [], tx.rules.retry) ?? [],
    );
  const ids = changes(endpoints.values()).map(({ endpointId }) => endpointId);
  if (ids.length === 0) return [];
  const locked = await tx.sql<SettledEndpoint>(lockStatement, [ids]);
  for (const endpoint of locked) endpoints.set(endpoint.id, endpoint);
  return changes(locked);
}

async function record(
  tx: Tx,
  settled: readonly EndedAttempt[],
  endpoints: ReadonlyMap<string, SettledEndpoint>,
  disabled: ReadonlySet<string>,
): Promise<Settlement[]> {
  if (settled.length === 0) return [];
  const { retry, random } = tx.rules;
  const settlements = settled.map((attempt) => {
    const endpoint = endpoints.get(attempt.claim.endpointId);
    const taken = endpoint !== undefined && !disabled.has(endpoint.id) && takes(endpoint, attempt);
    return settlementOf(attempt, taken, retry, random);
  });
  await tx.sql(recordStatement, columnsOf(settlements));
  const seconds = new Set(
    settlements.flatMap(({ dueAt }) => (dueAt ? Math.ceil(dueAt.getTime() / 1_000) : [])),
  );
  for (const second of seconds) tx.wake({ kind: 'due', at: new Date(second * 1_000) });
  return settlements;
}

async function writeHealth(tx: Tx, changes: readonly HealthChange[]): Promise<void> {
  await tx.sql(healthStatement, [
    changes.map(({ endpointId }) => endpointId),
    changes.map(({ health }) => health.failingSince?.toISOString() ?? null),
    changes.map(({ health }) => health.failureCount),
  ]);
}
