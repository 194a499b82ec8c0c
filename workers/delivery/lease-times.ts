/**
 * How much longer than one attempt a lease lasts: time to record the outcome, and to repeat that. As
 * long as an attempt, so that whoever shortens attempts also shortens what a crash costs.
 */
const minMarginMs = 4_000;

/** To connect and send a statement again once PostgreSQL is back, whatever became of the one before. */
const maxGraceMs = 10_000;

/** The times of a claim, in milliseconds. */
export interface LeaseTimes {
  readonly leaseMs: number;
  /** Claims that took longer to come back are not used; the process may have stood still. */
  readonly claimTimeoutMs: number;
  /** An attempt that has not started so long after its claim came back is not made. */
  readonly startTimeoutMs: number;
  /** Leases of others are ended when PostgreSQL has answered for so long: time to extend them first. */
  readonly graceMs: number;
}

/**
 * How long claims last where one attempt may take `timeoutMs`: a third of the margin may pass before
 * the claim is back, another before the attempt starts, the last is left for recording it.
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
