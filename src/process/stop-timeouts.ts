export interface StopTimeouts {
  /** Aborts attempts in flight after this time. No attempt takes as long, so a stop repeats none. */
  readonly drainMs: number;
  /** A process exits by itself, even if results are not recorded. */
  readonly processMs: number;
  /** The launcher kills a process that hangs. */
  readonly launcherMs: number;
}

/** What an attempt takes besides its timeout: its start and the check of its clock. */
const attemptMarginMs = 5_000;
/** Time to record results and to close connections. */
const closeMs = 10_000;
/** Leaves time for notifications and API requests, which have their own limits. */
const minProcessMs = 30_000;
const launcherMarginMs = 5_000;

/**
 * Computes the limits of a stop if one attempt may take `timeoutMs`. Each limit contains the one
 * before it.
 * @param lameDuckMs how long an API still takes requests after the request to stop
 */
export function stopTimeouts(timeoutMs: number, lameDuckMs = 0): StopTimeouts {
  const drainMs = timeoutMs + attemptMarginMs;
  const processMs = Math.max(drainMs + closeMs, minProcessMs) + lameDuckMs;
  return { drainMs, processMs, launcherMs: processMs + launcherMarginMs };
}
