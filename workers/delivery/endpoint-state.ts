/** An endpoint that has attempts in flight, or had lately. */
export interface EndpointState {
  readonly accountId: string;
  held: number;
  /** When those of them began that did, the oldest first. */
  readonly startedAt: number[];
  /** Attempts that it may have in flight. */
  limit: number;
  /** What the last claim could bring it up to: no more than `limit`. */
  granted: number;
  /** When it last answered, or was asked after a rest. */
  lastActivityAt: number;
  lastResponseAt: number;
  /** The last claim brought as many of it as it had room for: there may be more. */
  saturated: boolean;
  /** Whether its last answer came within {@link fastMs}. */
  fast: boolean;
}

/** Whoever answered so lately will give its slots back soon. */
const responsiveMs = 25;

/** An answer within this time is prompt. */
const fastMs = 1_000;

/** An endpoint that answers nothing for so long is one that has answered none. */
const unresponsiveMs = 500;

/** Whether an endpoint answers at this moment, `now` in milliseconds of the same clock. */
export function isResponsive({ lastResponseAt }: EndpointState, now: number): boolean {
  return now - lastResponseAt <= responsiveMs;
}

/** Whether an answer that took so long is prompt. */
export function isFastResponse(durationMs: number): boolean {
  return durationMs <= fastMs;
}

/** Whether it answered its last attempt promptly, and none that it was asked since waits for longer. */
export function isFast(
  { fast, startedAt: [oldest = Infinity] }: EndpointState,
  now: number,
): boolean {
  return fast && now - oldest <= fastMs;
}

/** Whether it has not answered for a while although it was asked. */
export function isUnresponsive({ startedAt, lastActivityAt }: EndpointState, now: number): boolean {
  return startedAt.length > 0 && now - lastActivityAt > unresponsiveMs;
}

/** Notes an answer to what was asked at `startedAt`. */
export function recordResponse(state: EndpointState, startedAt: number, now: number): void {
  state.lastActivityAt = now;
  state.lastResponseAt = now;
  state.fast = isFastResponse(now - startedAt);
}
