/**
 * How much longer than one attempt a lease lasts: time to record the outcome, and to repeat that. As
 * long as an attempt, so that whoever shortens attempts also shortens what a crash costs.
 */
const leastMarginMs = 4_000;

/** The times of a claim, in milliseconds. */
export interface LeaseTimes {
  readonly leaseMs: number;
  /** An attempt that has not started so long after its claim is not made: its lease could end first. */
  readonly latestStartMs: number;
}

/** How long claims last where one attempt may take `timeoutMs`. */
export function leaseTimes(timeoutMs: number): LeaseTimes {
  const marginMs = Math.max(timeoutMs, leastMarginMs);
  return { leaseMs: timeoutMs + marginMs, latestStartMs: marginMs / 3 };
}
