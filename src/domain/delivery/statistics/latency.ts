/** Each bucket of a histogram reaches this many times as far as the one before. */
const growth = 1.1;

/** Durations of this bucket and above count alike: 180 seconds, more than an attempt takes. */
const lastBucket = 127;

/** In SQL: the number of the bucket of a duration in milliseconds. Below 1 ms counts as 1 ms. */
export const bucketOf = (ms: string) =>
  `least(${lastBucket}, floor(ln(greatest(${ms}, 1)::float8) / ln(${growth}::float8)))::smallint`;

/** How many durations fell into each bucket. */
export type Histogram = ReadonlyMap<number, number>;

/**
 * Returns the duration in milliseconds that a share of all does not exceed: the geometric middle of
 * its bucket, so at most 5 % from the true one. Null for an empty histogram.
 * @param share above 0 and at most 1, such as 0.95
 */
export function quantile(histogram: Histogram, share: number): number | null {
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
