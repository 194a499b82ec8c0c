import { smallestId } from '../id.js';
import type { Recovery, RecoveryReason, RecoveryWait } from './recovery.entity.js';

/** An endpoint as a step of a recovery sees it. */
export interface StepEndpoint {
  readonly deleted: boolean;
  readonly active: boolean;
  /** Whether it has a cancellation backlog, during which no claim takes its pending deliveries. */
  readonly cancelling: boolean;
  /** Whether its latest attempt failed. */
  readonly failing: boolean;
  /** Whether its account has reached the limit of pending deliveries. */
  readonly accountFull: boolean;
  /** Its pending deliveries, counted up to {@link maxPending}. */
  readonly pending: number;
  /** Those in the lane of recoveries, counted up to {@link maxWaiting}. */
  readonly waiting: number;
}

/** The part of a recovery that decides its next step. */
export type StepRecovery = Pick<Recovery, 'until' | 'ratePerSecond' | 'creditedAt'>;

/** What a step does. */
export type Step =
  /** Reads events with ids below `before`, and adds at most `room` deliveries. */
  | {
      readonly kind: 'add';
      readonly room: number;
      readonly before: string;
      readonly last: boolean;
      readonly waitsFor: RecoveryWait | null;
    }
  /** Adds nothing for `forMs` milliseconds. */
  | { readonly kind: 'wait'; readonly forMs: number; readonly waitsFor: RecoveryWait | null }
  | { readonly kind: 'pause' | 'cancel'; readonly reason: RecoveryReason };

/** One step adds at most this many deliveries. */
const maxRoom = 200;
/** A recovery adds none while its endpoint has this many pending deliveries. */
export const maxPending = 1_000;
/** A failing endpoint gets one recovered event a minute, while it has fewer than this. */
const maxPendingWhileFailing = 100;
const probeEveryMs = 60_000;
/** At most two seconds of the rate wait in the lane, and never more than this. */
export const maxWaiting = 400;
/** Pause between two steps. */
export const stepMs = 100;
const waitMs = 1_000;
/** A transaction that publishes commits within this time, so older events are all visible. */
const visibleAfterMs = 60_000;

/** Decides the next step of a running recovery at `now`. */
export function decideStep(
  recovery: StepRecovery,
  endpoint: StepEndpoint | undefined,
  now: Date,
): Step {
  if (!endpoint || endpoint.deleted) return { kind: 'cancel', reason: 'endpoint_deleted' };
  if (!endpoint.active) return { kind: 'pause', reason: 'endpoint_inactive' };
  if (endpoint.cancelling) return { kind: 'wait', forMs: waitMs, waitsFor: 'cancellations' };
  if (endpoint.accountFull) return { kind: 'wait', forMs: waitMs, waitsFor: 'account_full' };
  const waitsFor = endpoint.failing ? 'endpoint_failing' : null;
  const room = endpoint.failing
    ? probeRoom(recovery, endpoint, now)
    : Math.min(
        roomByRate(recovery, now),
        Math.min(2 * recovery.ratePerSecond, maxWaiting) - endpoint.waiting,
        maxRoom,
      );
  if (endpoint.pending >= maxPending)
    return { kind: 'wait', forMs: waitMs, waitsFor: 'endpoint_backlog' };
  if (room <= 0) return { kind: 'wait', forMs: waitFor(recovery, endpoint, now), waitsFor };
  const end = recovery.until.getTime() + 1;
  const visibleUntil = now.getTime() - visibleAfterMs;
  const before = smallestId('evt', new Date(Math.min(end, visibleUntil)));
  return { kind: 'add', room, before, last: end <= visibleUntil, waitsFor };
}

/** Returns up to when the rate is used once `added` deliveries are; at most a second is saved up. */
export function creditAfter(
  { creditedAt, ratePerSecond }: StepRecovery,
  added: number,
  now: Date,
): Date {
  if (added === 0) return creditedAt;
  const from = Math.max(creditedAt.getTime(), now.getTime() - 1_000);
  return new Date(from + Math.ceil((added * 1_000) / ratePerSecond));
}

function roomByRate({ creditedAt, ratePerSecond }: StepRecovery, now: Date): number {
  const savedMs = Math.min(1_000, now.getTime() - creditedAt.getTime());
  return Math.floor((savedMs * ratePerSecond) / 1_000);
}

function probeRoom({ creditedAt }: StepRecovery, { pending }: StepEndpoint, now: Date): number {
  const isDue = now.getTime() - creditedAt.getTime() >= probeEveryMs;
  return isDue && pending < maxPendingWhileFailing ? 1 : 0;
}

function waitFor(
  { creditedAt, ratePerSecond }: StepRecovery,
  endpoint: StepEndpoint,
  now: Date,
): number {
  if (endpoint.failing) return waitMs;
  const creditMs = creditedAt.getTime() + Math.ceil(1_000 / ratePerSecond) - now.getTime();
  return Math.min(waitMs, Math.max(stepMs, creditMs));
}
