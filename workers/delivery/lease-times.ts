/**
 * Milliseconds, at least, by which a lease outlasts one attempt: time to record the result, and to retry
 * that. With a longer attempt timeout the margin is that timeout, so a shorter timeout also makes a crash
 * cost less.
 */
const minMarginMs = 4_000;

/** Milliseconds, at most, to reconnect and repeat a statement after PostgreSQL comes back. */
const maxGraceMs = 10_000;

/** The times of a claim, in milliseconds. */
export interface LeaseTimes {
  readonly leaseMs: number;
  /** Claims that took longer to come back are released: the process may have stalled. */
  readonly claimTimeoutMs: number;
  /** An attempt starts within this time after its claim came back, or its claim is released. */
  readonly startTimeoutMs: number;
  /** PostgreSQL must answer for this long before expired leases are ended: time to extend them first. */
  readonly graceMs: number;
}

/**
 * The times of a claim whose attempt may take `timeoutMs` milliseconds. The margin has three equal parts:
 * until the claim is back, until the attempt starts, and for recording its result.
 */
export function leaseTimes(timeoutMs: number): LeaseTimes {
  const marginMs = Math.max(timeoutMs, minMarginMs);
  const thirdMs = marginMs / 3;
  return {
    leaseMs: timeoutMs + marginMs,
    claimTimeoutMs: thirdMs,
    startTimeoutMs: thirdMs,
    graceMs: Math.min(marginMs, maxGraceMs),
  };
}
