import type { Statement } from '../../tx.js';
import type { ClaimedRow } from './assemble-claims.js';
import { claimedRows, free, receiving } from './claim-statement.js';

/** A row of {@link claimFewStatement}. */
export type FewRow = { readonly more: boolean; readonly nowMs: number } & (
  | ClaimedRow
  | { readonly pendingDeliveryId: null }
);

/**
 * Claims all ready pending deliveries of a lane if there are at most `$2` of them, and all their
 * events have ids from `$6` to below `$7`. Then no account can exceed its limit, and the walk of
 * {@link claimStatement} would claim the same rows. Otherwise it claims none and answers `more`. Each
 * answer has the clock, and a row without a pending delivery if it claims none.
 *
 * The walk has a hundred plan nodes, which PostgreSQL sets up and tears down even if one row is ready.
 * These bounds let it set up only the partitions between them (ADR 0028).
 */
export const claimFewStatement: Statement = {
  name: 'pending_delivery_claim_few',
  text: claimFewText(ready()),
};

/**
 * {@link claimFewStatement} of all that is ready in some ranges of endpoints, each without its
 * bounds: from `($9, $10)` to `($11, $12)`. What is ready between two ranges costs nothing.
 */
export const claimFewBetweenStatement: Statement = {
  name: 'pending_delivery_claim_few_between',
  text: claimFewText(`
      select c.* from unnest($9::text[], $10::text[], $11::text[], $12::text[])
               g (after_account, after_endpoint, before_account, before_endpoint)
        cross join lateral (${ready(` and (c.account_id, c.endpoint_id) > (g.after_account, g.after_endpoint)
         and (c.account_id, c.endpoint_id) < (g.before_account, g.before_endpoint)`)}) c
       limit $2::int + 1`),
};

/** In SQL: one more than `$2` that are ready. */
function ready(condition = ''): string {
  return `
      select c.ctid as place, c.endpoint_id, c.event_id, c.event_type, c.test, c.due_at
        from pending_delivery c
       where ${free}${condition}
       order by c.account_id, c.endpoint_id, c.due_at limit $2::int + 1`;
}

function claimFewText(few: string): string {
  return `
    with few as materialized (${few}
    ), asked as (
      select count(*) > $2::int or coalesce(bool_or(f.event_id < $6 or f.event_id >= $7), false) as more,
             (extract(epoch from now()) * 1000)::float8 as "nowMs"
        from few f
    ), claimed as (
      update pending_delivery c
         set lease_token = $3
       where c.ctid = any (array(
         select p.place
           from (select f.place, f.endpoint_id,
                        row_number() over (partition by f.endpoint_id order by f.due_at) as place_in_endpoint
                   from few f ${receiving('f')}
                  where not (select a.more from asked a)
                    and (f.test or f.event_type = any (e.event_types))) f
          cross join lateral (
            select c.ctid as place from pending_delivery c
             where c.ctid = f.place and ${free} for update skip locked) p
          where f.place_in_endpoint <= $4::int - coalesce(($5::jsonb ->> f.endpoint_id)::int, 0)))
      returning c.ctid as place, c.*
    ), leased as (
      insert into lease (token, until, pending_delivery_ids)
      select $3, now() + $8::int * interval '1 millisecond', array_agg(c.id)
        from claimed c having count(*) > 0
    )
    select a.*, c.* from asked a left join (${claimedRows(
      '(select c.*, true as carries_endpoint, true as carries_event from claimed c)',
      'v.id >= $6 and v.id < $7',
    )}) c on true`;
}
