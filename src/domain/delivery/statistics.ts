import { singleRow, databaseTime, requireAccountEndpoint } from '../transaction/rows.js';
import type { Statement, Tx, Read } from '../transaction/tx.js';
import type { DeliveryStatistics, Span } from './delivery.entity.js';
import { validationFailed } from '../errors.js';
import { checkRange } from '../list/time-range.js';

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

/** Durations of this bucket and above count alike: 180 seconds, more than an attempt takes. */
const lastBucket = 127;

/** The upper bound of each bucket of a histogram is this many times that of the bucket before. */
const growth = 1.1;

/** In SQL: the number of the bucket of a duration in milliseconds. Below 1 ms counts as 1 ms. */
const bucketOf = (ms: string) =>
  `least(${lastBucket}, floor(ln(greatest(${ms}, 1)::float8) / ln(${growth}::float8)))::smallint`;

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

/** The recorded results of attempts that began within one hour or one UTC day. */
export interface StatisticsOfSpan {
  readonly startsAt: Date;
  /** All attempts; the three counts below make it up. */
  readonly attempts: number;
  readonly success: number;
  readonly failed: number;
  readonly abandoned: number;
  /** Attempts after the first of their delivery. */
  readonly retries: number;
  /** Null when nothing was sent. */
  readonly latency: Latency | null;
}

/** Durations in milliseconds that half, 95 % and 99 % of attempts did not exceed, within 5 %. */
export interface Latency {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

/** The account or endpoint whose statistics to read, and the range. */
interface StatisticsQuery extends SpanQuery {
  /** Null for the whole account. */
  readonly endpoint?: string | null | undefined;
}

type Row = Omit<DeliveryStatistics, 'accountId' | 'endpointId' | 'span'>;

// Both spans: the hours of a day that is being merged are in neither alone. Rows compared as rows
// (ADR 0041): the index by age would read the range of all accounts.
const readStatement: Statement = {
  name: 'delivery_statistics_read',
  text: `
    select s.starts_at as "startsAt", s.success, s.failed, s.abandoned, s.retries, s.buckets, s.times
      from unnest($3::text[]) p (span) cross join lateral (
        select * from delivery_statistics s
         where (s.account_id, s.endpoint_id, s.span, s.starts_at) >= ($1, $2, p.span, $4)
           and (s.account_id, s.endpoint_id, s.span, s.starts_at) < ($1, $2, p.span, $5)) s`,
};

/**
 * Returns every hour or day of a range, oldest first, those without an attempt too. Test deliveries
 * do not count. Attempts of the last minute may be missing.
 * @throws DomainError not_found for an endpoint that is not the account's
 * @throws DomainError validation_failed for a range that is empty, or longer than 31 days by the hour
 *   or 400 days by the day
 */
export async function readStatistics(
  read: Read,
  account: string,
  { endpoint, since, until, by }: StatisticsQuery,
): Promise<StatisticsOfSpan[]> {
  const { count, startOf, placeOf } = await readSpans(read, { since, until, by });
  if (endpoint != null) await requireAccountEndpoint(read, account, endpoint);

  const spans: Span[] = by === 'hour' ? ['hour'] : ['hour', 'day'];
  const values = [account, endpoint ?? '', spans, startOf(0), startOf(count)];
  const rows = await read.sql<Row>(readStatement, values);
  const bySpan = new Map<number, Row[]>();

  for (const row of rows) {
    const place = placeOf(row.startsAt);
    bySpan.set(place, [...(bySpan.get(place) ?? []), row]);
  }

  return Array.from({ length: count }, (_each, place) =>
    sumOf(startOf(place), bySpan.get(place) ?? []),
  );
}

function sumOf(startsAt: Date, rows: readonly Row[]): StatisticsOfSpan {
  const sum = (count: (row: Row) => number) => rows.reduce((all, row) => all + count(row), 0);
  const counts = {
    success: sum(({ success }) => success),
    failed: sum(({ failed }) => failed),
    abandoned: sum(({ abandoned }) => abandoned),
  };
  const attempts = counts.success + counts.failed + counts.abandoned;
  const retries = sum((row) => row.retries);
  return { startsAt, attempts, ...counts, retries, latency: latencyOf(rows) };
}

function latencyOf(rows: readonly Row[]): Latency | null {
  const histogram = new Map<number, number>();
  for (const { buckets, times } of rows) {
    for (const [place, bucket] of buckets.entries()) {
      histogram.set(bucket, (histogram.get(bucket) ?? 0) + (times[place] ?? 0));
    }
  }

  const p50Ms = quantile(histogram, 0.5);
  const p95Ms = quantile(histogram, 0.95);
  const p99Ms = quantile(histogram, 0.99);
  return p50Ms === null || p95Ms === null || p99Ms === null ? null : { p50Ms, p95Ms, p99Ms };
}

/** Counts of how the attempts of all accounts ended, since the beginning of the hour before this one. */
export interface RecentOutcomes {
  readonly since: Date;
  readonly success: number;
  readonly failed: number;
  readonly abandoned: number;
  /** False when there were more accounts and endpoints than were read. */
  readonly complete: boolean;
}

/** One row for each account and endpoint that was attempted in an hour. */
const rowLimit = 20_000;

const outcomesStatement: Statement = {
  name: 'recent_outcomes',
  text: `
    select h.since, coalesce(sum(s.success) filter (where s.endpoint_id = ''), 0)::float8 as success,
           coalesce(sum(s.failed) filter (where s.endpoint_id = ''), 0)::float8 as failed,
           coalesce(sum(s.abandoned) filter (where s.endpoint_id = ''), 0)::float8 as abandoned,
           count(s.endpoint_id) < $1 as complete
      from (select date_trunc('hour', now() - interval '1 hour', 'UTC') as since) h
      left join lateral (
        select s.endpoint_id, s.success, s.failed, s.abandoned from delivery_statistics s
         where s.span = 'hour' and s.starts_at >= h.since
         order by s.starts_at desc limit $1) s on true
     group by h.since`,
};

/**
 * Reads the {@link RecentOutcomes}, at most 20,000 rows. Attempts of the last minute may be missing; test
 * deliveries do not count.
 */
export function readRecentOutcomes(read: Read): Promise<RecentOutcomes> {
  return singleRow<RecentOutcomes>(read, outcomesStatement, [rowLimit]);
}

/** In SQL: the start of the hour of `instant`, in UTC. */
export const hourOf = (instant: string) =>
  `date_bin('1 hour', ${instant}, timestamptz '1970-01-01 00:00+00')`;

/** The number of durations in each bucket. */
type Histogram = ReadonlyMap<number, number>;

/**
 * Returns the duration in milliseconds that a share of all does not exceed: the geometric middle of
 * its bucket, so at most 5 % from the true one. Null for an empty histogram.
 * @param share above 0 and at most 1, such as 0.95
 */
function quantile(histogram: Histogram, share: number): number | null {
  const buckets = [...histogram].sort(([one], [other]) => one - other);
  const count = buckets.reduce((sum, [, times]) => sum + times, 0);
  const rank = Math.max(1, Math.ceil(share * count));
  let seen = 0;
  for (const [bucket, times] of buckets) {
    seen += times;
    if (seen >= rank) return Math.round(growth ** (bucket + 0.5));
  }
  return null;
}

/** The range of a query of statistics. */
interface SpanQuery {
  /** Start of the range, rounded down to the hour or day. */
  readonly since: Date;
  /** Defaults to now. */
  readonly until?: Date | null | undefined;
  readonly by: Span;
}

/** The hours or days of a range. */
interface Spans {
  readonly count: number;
  /** When the hour or day at `place` begins; the first is at 0. */
  readonly startOf: (place: number) => Date;
  /** The place of the hour or day that holds an instant. */
  readonly placeOf: (instant: Date) => number;
}

const spanMs = { hour: 3_600_000, day: 86_400_000 } as const;

/** One answer has at most this many hours or days. */
const maxSpans = { hour: 31 * 24, day: 400 } as const;

/**
 * Returns the hours or days that a range touches.
 * @throws DomainError validation_failed for a range that is empty, or longer than 31 days by the hour
 *   or 400 days by the day
 */
async function readSpans(read: Read, { since, until, by }: SpanQuery): Promise<Spans> {
  const end = until ?? (await databaseTime(read));
  checkRange({ since, until: end });

  const placeOf = (instant: Date) => Math.floor(instant.getTime() / spanMs[by]);
  const first = placeOf(since);
  const count = Math.ceil(end.getTime() / spanMs[by]) - first;
  if (count > maxSpans[by]) {
    const detail = `Must be at most ${maxSpans[by]} ${by}s before \`until\`.`;
    throw validationFailed([{ code: 'out_of_range', detail, param: 'since' }]);
  }

  return {
    count,
    startOf: (place) => new Date((first + place) * spanMs[by]),
    placeOf: (instant) => placeOf(instant) - first,
  };
}

/** The attempts at one endpoint that did not succeed. */
export interface EndpointFailures {
  readonly endpointId: string;
  readonly failed: number;
  readonly abandoned: number;
}

/** An answer has at most this many endpoints. */
const maxEndpoints = 10;

/** Endpoints of one account that are read, newest first. Ten times the default limit of an account. */
const endpointsRead = 10_000;

// Rows compared as rows (ADR 0041) leave one index for each table: the index by age would read the
// range of all accounts once for each endpoint. Hours become days long after the longest range.
const failuresStatement: Statement = {
  name: 'endpoint_failures',
  text: `
    select e.id as "endpointId", f.failed, f.abandoned
      from (select e.id from endpoint e
             where (e.account_id, e.id) >= ($1, '') and (e.account_id, e.id) < ($1, '~')
               and e.deleted_at is null
             order by e.account_id desc, e.id desc limit ${endpointsRead}) e
     cross join lateral (
       select coalesce(sum(s.failed), 0)::int as failed,
              coalesce(sum(s.abandoned), 0)::int as abandoned
         from delivery_statistics s
        where (s.account_id, s.endpoint_id, s.span, s.starts_at) >= ($1, e.id, 'hour', $2)
          and (s.account_id, s.endpoint_id, s.span, s.starts_at) < ($1, e.id, 'hour', $3)) f
     where f.failed + f.abandoned > 0
     order by f.failed + f.abandoned desc, e.id desc limit ${maxEndpoints}`,
};

/**
 * Returns the endpoints with the most failed and abandoned attempts of a range, most first: at most
 * 10. Counts whole hours, as the statistics do, and leaves out deleted endpoints.
 * @throws DomainError validation_failed for a range that is empty or longer than 31 days
 */
export async function readEndpointFailures(
  read: Read,
  account: string,
  range: Pick<SpanQuery, 'since' | 'until'>,
): Promise<readonly EndpointFailures[]> {
  const { count, startOf } = await readSpans(read, { ...range, by: 'hour' });
  return read.sql<EndpointFailures>(failuresStatement, [account, startOf(0), startOf(count)]);
}
