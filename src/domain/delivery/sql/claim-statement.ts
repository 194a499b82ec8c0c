import type { Statement } from '../../tx.js';

/** What may be claimed. An index on `lease_token` would cost a write for every claim. */
export const free = 'c.ready and c.lease_token is null and c.lane = $1';

/**
 * In SQL: what the attempts of `claimed` need. An endpoint's secrets and an event are read by a range
 * in the order of their own index. The planner could otherwise walk all secrets or, by the index of
 * accounts, all events of a partition that was empty when it planned.
 * @param claimed a table of pending deliveries that says which rows carry the columns they share
 * @param events a condition that all their events `v` meet
 */
export const claimedRows = (claimed: string, events = 'true') => `
    select c.id as "pendingDeliveryId", c.place as ctid, c.endpoint_id as "endpointId", c.event_id as "eventId", c.attempt,
           c.max_attempts as "maxAttempts", c.replayed_from as "replayedFrom", c.test,
           c.lease_token as token, (extract(epoch from now()) * 1000)::float8 as "claimedMs",
           e.account_id as "accountId", e.url, e.max_per_second as "maxPerSecond", e.secrets, v.type, v.version,
           v.body, v.traceparent, v.sends_traceparent as "sendsTraceparent"
      from ${claimed} c
      left join lateral (
        select e.account_id, e.url, e.max_per_second, s.secrets from endpoint e cross join lateral (
          select string_agg(s.key_id || ' ' || encode(s.sealed, 'hex'), ','
                            order by s.endpoint_id, s.id desc) as secrets
            from endpoint_secret s
           where s.endpoint_id >= e.id and s.endpoint_id <= e.id
             and (s.expires_at is null or s.expires_at > now())) s
         where c.carries_endpoint and e.id = c.endpoint_id limit 1) e on true
      left join lateral (
        select v.type, v.version, convert_from(v.body, 'UTF8') as body, v.traceparent,
               case when v.traceparent is not null then (
                 select a.sends_traceparent from account a where a.id = v.account_id limit 1)
                end as sends_traceparent
          from event v
         where c.carries_event and v.id >= c.event_id and v.id <= c.event_id and ${events}
         order by v.id limit 1) v on true`;

/** In SQL: the endpoint `of.endpoint_id`, if it receives deliveries now. */
export const receiving = (of: string) => `
        cross join lateral (
          select o.event_types
            from (select * from endpoint e where e.id = ${of}.endpoint_id limit 1) o
           where o.active and o.deleted_at is null and o.cancelling_since is null) e`;

/**
 * In SQL: picks from the endpoint `of.endpoint_id` as many pending deliveries as the process has
 * capacity for. A lateral, because the planner could turn a join into a hash of whole tables.
 * @param since where the first one is due, if that is known
 */
const pick = (of: string, account: string, since = '') => `
        ${receiving(of)}
        cross join lateral (
          select c.ctid as place from pending_delivery c
           where ${free} and c.account_id = ${account} and c.endpoint_id = ${of}.endpoint_id${since}
             and (c.test or c.event_type = any (e.event_types))
           order by c.due_at
           limit greatest(0, $4::int - coalesce(($5::jsonb ->> ${of}.endpoint_id)::int, 0))
             for update skip locked) p`;

/**
 * Pending deliveries of fast endpoints, which do not count towards the limits of their accounts.
 */
const fastEndpointRows = `
      select p.place from unnest($10::text[], $11::text[]) l (account_id, endpoint_id)
        ${pick('l', 'l.account_id')}`;

/** In SQL: the first endpoint of an account after `after` and before the end of a range. */
const nextEndpoint = (after: string) => `
              select c.endpoint_id, c.due_at from pending_delivery c
               where ${free} and c.account_id = a.account_id and c.endpoint_id > ${after}
                 and c.endpoint_id < r.range ->> 1
               order by c.endpoint_id, c.due_at limit 1`;

/**
 * Claims in one statement:
 * - Walks the accounts that have ready pending deliveries, from the one after the cursor once
 *   around.
 * - Walks the endpoints of each account that has capacity, in ranges: from the one after the
 *   account's cursor once around, between its fast endpoints and those without a free slot. Each of
 *   those would cost a step past all that was claimed of it.
 * - Takes from each endpoint up to its limit, until the account's limit is reached or the slots are
 *   full.
 * Each step is one probe of the index (lane, account_id, endpoint_id, due_at), past what is claimed
 * already. A long backlog costs no more than a short one. An account at its limit costs one probe.
 */
export const claimStatement: Statement = {
  name: 'pending_delivery_claim',
  text: `
    with recursive ready_account (account_id, wrapped) as (
      select n.* from (
        (select c.account_id, false as wrapped from pending_delivery c
          where ${free} and c.account_id > $2
          order by c.account_id, c.endpoint_id, c.due_at limit 1)
        union all
        (select c.account_id, true from pending_delivery c
          where ${free} order by c.account_id, c.endpoint_id, c.due_at limit 1)
        limit 1) n
      union all
      select n.* from ready_account a cross join lateral (
        (select c.account_id, a.wrapped from pending_delivery c
          where ${free} and c.account_id > a.account_id
          order by c.account_id, c.endpoint_id, c.due_at limit 1)
        union all
        (select c.account_id, true from pending_delivery c
          where ${free} and not a.wrapped
          order by c.account_id, c.endpoint_id, c.due_at limit 1)
        limit 1) n
      where not n.wrapped or n.account_id <= $2
    ), walked as (
      select p.place
        from (select a.account_id, coalesce(($9::jsonb -> a.account_id ->> 0)::int, $8::int) as room,
                     coalesce($9::jsonb -> a.account_id -> 1, '[["", "~"]]') as ranges
                from ready_account a) a
        cross join lateral (
          select p.place
            from jsonb_array_elements(a.ranges) r (range)
            cross join lateral (
              with recursive walk (endpoint_id, due_at) as (
                (${nextEndpoint('r.range ->> 0')})
                union all
                select n.* from walk w cross join lateral (${nextEndpoint('w.endpoint_id')}) n
              )
              select w.* from walk w) w
            ${pick('w', 'a.account_id', ' and c.due_at >= w.due_at')}
           limit greatest(0, a.room)) p
    ), picked as (
      select o.place from (
        (select f.place from (${fastEndpointRows}) f where $12::boolean)
        union all
        (select w.place from walked w)
        union all
        (select l.place from (${fastEndpointRows}) l where not $12::boolean)) o
       limit $3
    ), claimed as (
      update pending_delivery c
         set lease_token = $6
       where c.ctid = any (array(select p.place from picked p))
      returning c.ctid as place, c.*
    ), leased as (
      insert into lease (token, until, pending_delivery_ids)
      select $6, now() + $7::int * interval '1 millisecond', array_agg(c.id)
        from claimed c having count(*) > 0
    )
    ${claimedRows(`(
        select c.*, row_number() over (partition by c.endpoint_id) = 1 as carries_endpoint,
               row_number() over (partition by c.event_id) = 1 as carries_event
          from claimed c)`)}`,
};
