import { confirmedByStandby } from '../confirmed-by-standby.js';
import type { Statement } from '../tx.js';
import { namedFrom } from './fan-out.js';

/** The parts of the statement that only events with keys need. */
interface KeyParts {
  readonly wait: string;
  readonly arrays: string;
  readonly columns: string;
  readonly taken: string;
  /** Which events are stored, of those that pass. */
  readonly storable: string;
  readonly earlier: string;
}

const withoutKeys: KeyParts = {
  wait: '',
  arrays: '',
  columns: '',
  taken: '',
  storable: 'i.passes',
  earlier: 'left join (select null as event_id, null::boolean as same) k on true',
};

// Keys are taken in one order, so two groups never wait for each other. A key that has its event is
// only read: taking it would lock its row, and wait for others that do.
const withKeys: KeyParts = {
  wait: `(select set_config('lock_timeout', coalesce($19, current_setting('lock_timeout')), true)) w,`,
  arrays: ', (select $17::text[]), (select $18::text[])',
  columns: ', key, fingerprint',
  taken: `taken as (
      insert into publish_key as k (account_id, key, fingerprint, event_id, expires_at)
      select i.account_id, i.key, decode(i.fingerprint, 'hex'), i.id, now() + interval '30 days'
        from input i
       where i.passes and (select true from publish_key k
                            where k.account_id = i.account_id and k.key = i.key
                              and k.expires_at > now() limit 1) is null
       order by i.account_id, i.key
      on conflict (account_id, key) do update
         set fingerprint = excluded.fingerprint, event_id = excluded.event_id,
             expires_at = excluded.expires_at
       where k.expires_at <= now()
      returning k.event_id
    ),`,
  storable: 'i.passes and i.id in (select t.event_id from taken t)',
  earlier: `left join lateral (
          select case when ${confirmedByStandby} then k.event_id end as event_id,
                 k.fingerprint = decode(i.fingerprint, 'hex') as same
            from publish_key k
           where k.account_id = i.account_id and k.key = i.key and k.expires_at > now()
           limit 1) k on true`,
};

/**
 * Stores a group of events:
 * - compares each account with the accounts there are, and each type with the catalogue. An event
 *   passes only if its data was compared with the current schemas of its type;
 *   No event of a full account passes, except those of a transaction such as a payment;
 * - takes the keys of events that pass;
 * - stores their bytes once, and a pending delivery for each active endpoint that subscribes;
 * - notifies a channel if it is given one, made pending deliveries, and no other commit is notifying;
 * - returns PostgreSQL's clock, the number of pending deliveries, and each event it did not store. Of
 *   many pending deliveries of a group, it says how many each account and type has.
 * It locks no endpoint. If one is disabled at the same moment, no claim takes its pending delivery,
 * and the poller cancels it. The arrays are subselects, so that the planner expects the same number
 * of events each time and keeps one plan. The offset keeps it from reading all endpoints once for
 * the whole group.
 */
function storeStatement(name: string, keys: KeyParts, named: string): Statement {
  return {
    name,
    text: `
    with input as materialized (
      select i.*, a.known is not null as account_known, f.is_full is not null as account_full,
             t.revision is not null as type_known,
             (i.revision is null or i.revision = t.revision) as schema_current,
             a.known and f.is_full is null and coalesce(i.revision, t.revision) = t.revision as passes
        from ${keys.wait} unnest(
               (select $1::text[]), (select $2::text[]), (select $3::text[]), (select $4::text[]),
               (select $5::text[]), (select $6::boolean[]), (select $7::timestamptz[]),
               (select $8::int[]), (select $9::int[]), (select $13::text[]),
               (select $14::text[]), (select $16::text[])${keys.arrays}) with ordinality
             i (id, account_id, type, subject, endpoint_id, test, occurred_at, start,
                size, version, revision, traceparent${keys.columns}, place)
        left join lateral (
          select true as known from account a
           where a.id = i.account_id and a.erased_at is null limit 1) a on true
        left join lateral (
          select true as is_full from full_account f
           where f.account_id = i.account_id and not $12::boolean limit 1) f on true
        left join lateral (
          select t.revision from event_type t
           where t.id = i.type and (t.listed or $12::boolean) limit 1) t on true
    ), ${keys.taken} stored as (
      insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at,
                         endpoint_id, traceparent)
      select i.id, i.account_id, i.type, i.version, i.subject, i.test,
             substr($10::bytea, i.start, i.size), i.occurred_at, date_trunc('milliseconds', now()),
             i.endpoint_id, i.traceparent
        from input i where ${keys.storable}
    ), made as (
      insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready,
                                    due_at, attempt, max_attempts, test, created_at, body_bytes)
      select 'pdl_' || substr(i.id, 5, 8) || substr(replace(gen_random_uuid()::text, '-', ''), 1, 16),
             i.account_id, e.id, i.id, i.type, 'live', true, date_trunc('milliseconds', now()), 1,
             case when i.test then 1 else $11::int end, i.test, date_trunc('milliseconds', now()),
             i.size
        from input i
        cross join lateral (
          select e.id from endpoint e
           where e.account_id = i.account_id and e.deleted_at is null and e.active
             and case when i.endpoint_id is null then i.type = any (e.event_types)
                      else e.id = i.endpoint_id end
          offset 0) e
       where ${keys.storable}
      returning account_id, event_type
    )
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as "clockMs",
           one."pendingDeliveries", one.named, one.signalled, n.*
      from (
        select m.count as "pendingDeliveries",
               ${named} as named,
               case when m.count > 0 and $15::text is not null
                     and pg_try_advisory_xact_lock(hashtextextended($15::text, 0))
                    then pg_notify($15::text, '')::text end is not null as signalled
          from (select count(*)::int from made) m
        offset 0) one
      left join (
        select (i.place - 1)::int as place, i.account_known as "accountKnown",
               i.account_full as "accountFull", i.type_known as "typeKnown",
               i.schema_current as "schemaCurrent", k.event_id as earlier, k.same
          from input i
          ${keys.earlier}
         where (${keys.storable}) is not true) n on true`,
  };
}

const namedPendingDeliveries = `case when m.count > ${namedFrom} then (
                 select json_object_agg(f.account_id || ' ' || f.event_type, f.count)
                   from (select m.account_id, m.event_type, count(*) from made m group by 1, 2) f)
               end`;

/** A lone event has no need of it, and PostgreSQL would prepare to run it each time. */
const unnamed = 'null::json';

/** Stores events without keys. */
export const storeWithoutKeys = {
  one: storeStatement('event_publish', withoutKeys, unnamed),
  group: storeStatement('event_publish_group', withoutKeys, namedPendingDeliveries),
} as const;

/** Stores events with keys; each key at most once. */
export const storeWithKeys = {
  one: storeStatement('event_publish_keyed', withKeys, unnamed),
  group: storeStatement('event_publish_keyed_group', withKeys, namedPendingDeliveries),
} as const;
