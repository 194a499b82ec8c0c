/** How long a stop may take, in milliseconds. */
export interface StopTimeouts {
  /** Attempts in flight are broken off after it: none is as slow, so no stop repeats one. */
  readonly drainMs: number;
  /** A process ends by itself, recorded or not. */
  readonly processMs: number;
  /** The launcher kills a process that hangs altogether. */
  readonly launcherMs: number;
}

/** What an attempt may take besides its timeout: its start, and the look at its clock. */
const attemptMarginMs = 5_000;
/** To record what has ended and to close connections. */
const closeMs = 10_000;
/** Notices and callers of the API have limits of their own within it. */
const minProcessMs = 30_000;
const launcherMarginMs = 5_000;

/**
 * The limits of a stop where one attempt may take `timeoutMs`; each holds the one before it.
 * @param lameDuckMs how long an API takes requests after it was told to stop
 */
export function stopTimeouts(timeoutMs: number, lameDuckMs = 0): StopTimeouts {
  const drainMs = timeoutMs + attemptMarginMs;
  const processMs = Math.max(drainMs + closeMs, minProcessMs) + lameDuckMs;
  return { drainMs, processMs, launcherMs: processMs + launcherMarginMs };
}
