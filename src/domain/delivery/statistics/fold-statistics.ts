import { singleRow } from '../../rows.js';
import type { Statement, Tx } from '../../tx.js';
import { bucketOf } from './latency.js';

/**
 * Adds rows to the statistics. A single grouping merges counts and histograms: the planner could
 * turn a join of both into a nested loop over all pairs.
 * @param source common table expressions; the last is `added`, with the columns of `merged` below
 */
const addStatement = (name: string, source: string): Statement => ({
  name,
  text: `
    with ${source}, merged as (
      select a.account_id, a.endpoint_id, a.span, a.starts_at, a.bucket, sum(a.success) as success,
             sum(a.failed) as failed, sum(a.abandoned) as abandoned, sum(a.retries) as retries,
             sum(a.times) as times
        from added a group by 1, 2, 3, 4, 5
    ), written as (
      insert into delivery_statistics as s (account_id, endpoint_id, span, starts_at, success, failed,
                                            abandoned, retries, buckets, times)
      select m.account_id, m.endpoint_id, m.span, m.starts_at, coalesce(sum(m.success), 0),
             coalesce(sum(m.failed), 0), coalesce(sum(m.abandoned), 0), coalesce(sum(m.retries), 0),
             coalesce(array_agg(m.bucket order by m.bucket) filter (where m.bucket is not null), '{}'),
             coalesce(array_agg(m.times::int order by m.bucket) filter (where m.bucket is not null), '{}')
        from merged m group by 1, 2, 3, 4
       order by 1, 2, 3, 4
      on conflict (account_id, endpoint_id, span, starts_at) do update
         set success = s.success + excluded.success, failed = s.failed + excluded.failed,
             abandoned = s.abandoned + excluded.abandoned, retries = s.retries + excluded.retries,
             (buckets, times) = (
               select coalesce(array_agg(h.bucket order by h.bucket), '{}'),
                      coalesce(array_agg(h.times order by h.bucket), '{}')
                 from (select h.bucket, sum(h.times)::int as times
                         from (select * from unnest(s.buckets, s.times)
                               union all
                               select * from unnest(excluded.buckets, excluded.times)
                              ) h (bucket, times)
                        group by h.bucket) h)
    )
    select (select count(*)::int from taken) as taken`,
});

/**
 * Takes deltas and adds each to the hour of its endpoint and to that of its account. The account is
 * that of the endpoint, whose row stays as long as its records.
 */
const foldStatement = addStatement(
  'delivery_statistics_fold',
  `taken as (
      delete from delivery_statistics_delta
       where ctid = any (array(select t.ctid from delivery_statistics_delta t limit $1))
      returning *
    ), counted as (
      select t.endpoint_id, t.hour, sum(t.success) as success, sum(t.failed) as failed,
             sum(t.abandoned) as abandoned, sum(t.retries) as retries, null::smallint as bucket,
             null::int as times
        from taken t group by 1, 2
      union all
      select t.endpoint_id, t.hour, null, null, null, null, ${bucketOf('d.ms')}, count(*)::int
        from taken t cross join lateral unnest(t.durations_ms) d (ms) group by 1, 2, 7
    ), added as (
      select e.account_id, scope.endpoint_id, 'hour' as span, c.hour as starts_at, c.success, c.failed,
             c.abandoned, c.retries, c.bucket, c.times
        from counted c
        cross join lateral (select * from endpoint e where e.id = c.endpoint_id limit 1) e
        cross join lateral (values (c.endpoint_id), ('')) scope (endpoint_id)
    )`,
);

/** Days that statistics by the hour are kept: as long as delivery records. */
const hoursKeptDays = 40;

/** Days that statistics by the day are kept. */
const daysKeptDays = 400;

const mergeHoursStatement = addStatement(
  'delivery_statistics_merge_hours',
  `taken as (
      delete from delivery_statistics
       where ctid = any (array(
         select s.ctid from delivery_statistics s
          where s.span = 'hour' and s.starts_at < now() - interval '${hoursKeptDays} days'
          order by s.starts_at limit $1))
      returning *
    ), added as (
      select t.account_id, t.endpoint_id, 'day' as span,
             date_trunc('day', t.starts_at at time zone 'UTC') at time zone 'UTC' as starts_at,
             t.success, t.failed, t.abandoned, t.retries, null::smallint as bucket,
             null::int as times
        from taken t
      union all
      select t.account_id, t.endpoint_id, 'day',
             date_trunc('day', t.starts_at at time zone 'UTC') at time zone 'UTC', null, null, null,
             null, h.bucket, h.times
        from taken t cross join lateral unnest(t.buckets, t.times) h (bucket, times)
    )`,
);

const purgeDaysStatement: Statement = {
  name: 'delivery_statistics_purge',
  text: `
    delete from delivery_statistics where ctid = any (array(
      select s.ctid from delivery_statistics s
       where s.span = 'day' and s.starts_at < now() - interval '${daysKeptDays} days'
       order by s.starts_at limit $1))
    returning starts_at`,
};

/**
 * Folds at most `limit` deltas into the statistics. Their deletion and the sums commit together, so
 * each counts exactly once.
 * @returns how many it folded
 */
export async function foldStatistics(tx: Tx, limit: number): Promise<number> {
  return (await singleRow<{ taken: number }>(tx, foldStatement, [limit])).taken;
}

/**
 * Merges at most `limit` rows of hours past their retention into days, and deletes at most `limit`
 * rows of days past theirs.
 * @returns how many rows it merged or deleted
 */
export async function purgeStatistics(tx: Tx, limit: number): Promise<number> {
  const { taken } = await singleRow<{ taken: number }>(tx, mergeHoursStatement, [limit]);
  const purged = await tx.sql(purgeDaysStatement, [limit]);
  return taken + purged.length;
}
