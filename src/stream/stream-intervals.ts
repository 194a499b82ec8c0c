/** How often the hub looks after its clients, in milliseconds. */
export interface StreamIntervals {
  readonly heartbeatMs: number;
  /** Between look-ups of credentials: expiry has no notification, and one may get lost. */
  readonly recheckMs: number;
  /** A client that takes longer to read what waits for it is too slow, and is cut. */
  readonly drainMs: number;
}

export const streamIntervals: StreamIntervals = {
  heartbeatMs: 15_000,
  recheckMs: 60_000,
  drainMs: 30_000,
};
