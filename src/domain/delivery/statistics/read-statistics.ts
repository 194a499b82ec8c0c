import { requireAccountEndpoint } from '../../account-endpoint.js';
import type { Read, Statement } from '../../tx.js';
import type { DeliveryStatistics, Span } from './delivery-statistics.entity.js';
import { quantile } from './latency.js';
import { readSpans, type SpanQuery } from './spans.js';

/** What was recorded in attempts that began within one hour or one UTC day. */
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

/** Whose statistics to read, and of when. */
export interface StatisticsQuery extends SpanQuery {
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
  const [p50Ms, p95Ms, p99Ms] = [0.5, 0.95, 0.99].map((share) => quantile(histogram, share));
  return p50Ms == null || p95Ms == null || p99Ms == null ? null : { p50Ms, p95Ms, p99Ms };
}
