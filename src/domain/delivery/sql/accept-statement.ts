import type { Statement } from '../../tx.js';
import { hourOf } from '../statistics/hour-of.js';
import { storeEvidence } from './store-evidence.js';

const times = `to_timestamp(i.created_ms / 1000) as created_at,
             to_timestamp((i.created_ms + i.duration_ms) / 1000) as delivered_at`;

const acceptAllResult = `select (select string_agg(k.place::text, ' ') from kept k) as places,
           exists (select from recovering) as "healthChanges"`;

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
 * Records accepted attempts whose claims still hold, and deletes their pending deliveries; these are
 * in `kept`. Each pending delivery is found by its key and deleted by its ctid. The planner could
 * turn a join of both into a nested loop over all pairs. One that another transaction took meanwhile
 * is not in `gone`, so its attempt is not recorded.
 * @param only common table expressions over `found`, and the condition for recording anything
 * @param evidence a common table expression over `kept` that stores evidence
 */
const acceptText = (only = { tables: '', condition: 'true' }, evidence = '') => `
    with input as (
      select i.*, ${times}
        from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::int[], $6::int[], $7::float8[])
          with ordinality
        i (pending_delivery_id, token, id, event_version, response_status, duration_ms, created_ms, place)
    ), found as (
      select i.*, c.row_place, c.account_id, c.endpoint_id, c.event_id, c.event_type, c.attempt,
             c.max_attempts, c.test, c.replayed_from
        from input i
        cross join lateral (
          select c.ctid as row_place, c.* from pending_delivery c
           where c.id = i.pending_delivery_id and c.lease_token = i.token limit 1) c
    )${only.tables}, gone as (
      delete from pending_delivery c
       where c.ctid = any (array(select f.row_place from found f))
         and c.lease_token = any ($2::bigint[]) and ${only.condition}
      returning c.id
    ), kept as (
      select f.* from found f where coalesce(f.pending_delivery_id in (select g.id from gone g), false)
    ), ${writeKept}${evidence}`;

const withoutRecoveries = {
  tables: `, recovering as (${recoveringText('(select f.endpoint_id from found f group by f.endpoint_id) f')}
    )`,
  condition: 'not exists (select from recovering)',
};
const withEvidence = `, evidence as (${storeEvidence('$8', 'select k.id from kept k')})`;

/** Selects the endpoints of attempts that still hold their claims, which are in the CTE `kept`. */
export const fencedEndpoints = `
    select k.places, e.id, e.active and e.deleted_at is null as live,
           array_to_string(e.event_types, ' ') as "eventTypes", e.failing_since as "failingSince",
           e.failure_count as "failureCount", e.warnings
      from (select k.endpoint_id, string_agg(k.place::text, ' ') as places
              from kept k group by k.endpoint_id) k
      cross join lateral (select * from endpoint e where e.id = k.endpoint_id limit 1) e`;

/** Records accepted attempts, with evidence, in a transaction that goes on with the health of their endpoints. */
export const acceptStatement: Statement = {
  name: 'record_accepted',
  text: `${acceptText(undefined, withEvidence)}${fencedEndpoints}`,
};

/**
 * Records accepted attempts by itself, with evidence. Records none of them if one ends a run of
 * failures of its endpoint, which must change in the same transaction.
 */
export const acceptAllStatement: Statement = {
  name: 'record_all_accepted',
  text: `${acceptText(withoutRecoveries, withEvidence)}
    ${acceptAllResult}`,
};

/**
 * As {@link acceptAllStatement}, without evidence, records attempts whose pending deliveries are where
 * they were claimed. It finds and deletes each at its place, without a search in the index (ADR 0062).
 * A place may hold another row by now, so id and token are compared, too. No index serves
 * `is not distinct from`: by `=` a plan made for an empty table reads the whole table for each row.
 */
export const acceptAtPlacesStatement: Statement = {
  name: 'record_all_accepted_at_places',
  text: `
    with recovering as (${recoveringText('unnest($9::text[]) f (endpoint_id)')}
    ), kept as (
      delete from pending_delivery c
       using unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::int[], $6::int[],
                    $7::float8[], $8::tid[]) with ordinality
             i (pending_delivery_id, token, id, event_version, response_status, duration_ms,
                created_ms, row_place, place)
       where c.ctid = i.row_place and c.id is not distinct from i.pending_delivery_id
         and c.lease_token = i.token and not exists (select from recovering)
      returning i.place, i.id, i.pending_delivery_id, c.account_id, c.endpoint_id, c.event_id,
                c.event_type, i.event_version, c.attempt, c.max_attempts, c.test, c.replayed_from,
                i.response_status, i.duration_ms, ${times}
    ), ${writeKept}
    ${acceptAllResult}`,
};

/** In SQL: the endpoints among `f.endpoint_id` of which an accepted attempt ends a run of failures. */
function recoveringText(endpoints: string): string {
  return `
      select from ${endpoints}
        cross join lateral (select * from endpoint e where e.id = f.endpoint_id limit 1) e
       where e.active and e.deleted_at is null
         and (e.failing_since is not null or e.failure_count > 0)`;
}
