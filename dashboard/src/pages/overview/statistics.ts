import type {
  endpointFailuresQuery,
  statisticsQuery,
  StatisticsSpan,
} from '../../generated/documents.js';
import type { DeliveryFilter } from '../deliveries/delivery-filter.js';

/** The attempts of an hour or a UTC day. */
export type Bucket = statisticsQuery['statistics'][number];

/** The sums of a range. Percentiles cannot be added, so there are none. */
export interface Totals {
  readonly success: number;
  readonly failed: number;
  readonly abandoned: number;
  /** The share of all attempts, 0 to 1; undefined without attempts. */
  readonly successRate: number | undefined;
}

/** Adds the attempts of all buckets. */
export function totalsOf(buckets: readonly Bucket[]): Totals {
  const sum = (name: 'success' | 'failed' | 'abandoned' | 'attempts') =>
    buckets.reduce((total, bucket) => total + bucket[name], 0);
  const success = sum('success');
  const attempts = sum('attempts');
  const successRate = attempts === 0 ? undefined : success / attempts;
  return { success, failed: sum('failed'), abandoned: sum('abandoned'), successRate };
}

const lengthMs: Readonly<Record<StatisticsSpan, number>> = {
  hour: 60 * 60 * 1_000,
  day: 24 * 60 * 60 * 1_000,
};

/** The filter that lists the attempts of a bucket. */
export function filterOf({ startsAt }: Bucket, by: StatisticsSpan): DeliveryFilter {
  const until = new Date(Date.parse(startsAt) + lengthMs[by]).toISOString();
  return { since: startsAt, until };
}

const scaleSteps = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The top of a scale: the smallest round whole number that is at least `value`. */
export function scaleTop(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const tops = scaleSteps.map((step) => step * power).filter(Number.isInteger);
  return tops.find((top) => top >= value) ?? 10 * power;
}

/** An endpoint with failed attempts. */
export interface FailingEndpoint {
  readonly id: string;
  readonly url: string;
  readonly count: number;
  /** The status that its link filters by. */
  readonly status: 'failed' | 'abandoned';
}

type Failures = endpointFailuresQuery['failures'][number];

/** Adds up failed and abandoned attempts. Leaves out endpoints that were deleted since. */
export function failingEndpoints(failures: readonly Failures[]): readonly FailingEndpoint[] {
  return failures.flatMap(({ endpoint, failed, abandoned }) =>
    endpoint
      ? { ...endpoint, count: failed + abandoned, status: failed > 0 ? 'failed' : 'abandoned' }
      : [],
  );
}
