import type { RecentAttempt } from '../../src/domain/delivery/recent-attempts.js';

/** Limits of the slots of one endpoint. */
export interface EndpointLimits {
  /** Slots that all endpoints share. */
  readonly slots: number;
  /** Attempts in flight per endpoint, at most. */
  readonly limit: number;
  /** Slots of an endpoint that has not responded yet. */
  readonly initial: number;
  /** Attempts in flight of the endpoints of an account at one host, at most. */
  readonly perHost: number;
}

/** The slots and responses of one endpoint. */
export interface EndpointState {
  readonly accountId: string;
  /** Where its attempts go; undefined before its first claim. */
  url: string | undefined;
  /** The host of `url`, as `HostSlots` names it. */
  host: string | undefined;
  held: number;
  /** When its attempts in flight started, oldest first. */
  readonly startedAt: number[];
  /** Attempts in flight, at most. */
  limit: number;
  /** Attempts in flight that the last claim could fill: at most `limit`. */
  granted: number;
  /** When it last responded, or got its first attempt after none was in flight. */
  lastActivityAt: number;
  lastResponseAt: number;
  /** The last claim filled its slots, so it may have more due deliveries. */
  saturated: boolean;
  /** Whether its last response came within {@link fastMs}. */
  fast: boolean;
}

/** An endpoint that responded within this time frees its slots soon. */
const responsiveMs = 25;

/** A response within this time is fast. */
const fastMs = 1_000;

/** An endpoint silent for longer than this is limited like one that never responded. */
const unresponsiveMs = 500;

/** Whether an endpoint has just responded; `now` in milliseconds of the same clock. */
export function isResponsive({ lastResponseAt }: EndpointState, now: number): boolean {
  return now - lastResponseAt <= responsiveMs;
}

/** Whether a response that took `durationMs` milliseconds is fast. */
function isFastResponse(durationMs: number): boolean {
  return durationMs <= fastMs;
}

/** Whether the last response was fast, and no attempt in flight takes longer than {@link fastMs}. */
export function isFast(
  { fast, startedAt: [oldest = Infinity] }: EndpointState,
  now: number,
): boolean {
  return fast && now - oldest <= fastMs;
}

/** Whether attempts are in flight and the endpoint has been silent for {@link unresponsiveMs}. */
export function isUnresponsive({ startedAt, lastActivityAt }: EndpointState, now: number): boolean {
  return startedAt.length > 0 && now - lastActivityAt > unresponsiveMs;
}

/** Notes the response to an attempt that started at `startedAt`. */
export function recordResponse(state: EndpointState, startedAt: number, now: number): void {
  state.lastActivityAt = now;
  state.lastResponseAt = now;
  state.fast = isFastResponse(now - startedAt);
}

/** The slots that endpoints have earned by their attempts before this process. @param attempts oldest first */
export function earnedSlots(
  attempts: readonly RecentAttempt[],
  { initial, limit }: Pick<EndpointLimits, 'initial' | 'limit'>,
): ReadonlyMap<string, Pick<EndpointState, 'accountId' | 'limit' | 'fast'>> {
  const earned = new Map<string, Pick<EndpointState, 'accountId' | 'limit' | 'fast'>>();
  for (const { accountId, endpointId, answered, durationMs } of attempts) {
    const before = earned.get(endpointId)?.limit ?? initial;
    const now = answered ? Math.min(before + 1, limit) : initial;
    const fast = answered && durationMs !== null && isFastResponse(durationMs);
    earned.set(endpointId, { accountId, limit: now, fast });
  }
  return earned;
}
