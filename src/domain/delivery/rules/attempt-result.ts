import { arrayLiteral, type ArrayValue } from '../../array-literal.js';
import type { DisabledReason } from '../../disabled-reason.js';
import type { RetryPolicy } from '../../rules.js';
import type { EndedAttempt } from './attempt.js';
import { type Health, assessHealth, sameHealth } from './health.js';
import { nextStep } from './next-step.js';
import { failureReason } from './outcome.js';

/** What a delivery record says about its attempt (H60). */
export type DeliveryStatus = 'success' | 'failed' | 'abandoned';

/** An endpoint as a settlement sees it. */
export interface EndpointSnapshot extends Health {
  readonly id: string;
  /** Active and not deleted. */
  readonly live: boolean;
  /** Separated by spaces: one text costs less to read than an array for each row. */
  readonly eventTypes: string;
  /** Read with the lock: what another url answered says nothing about this one (H69). */
  readonly url?: string;
}

/** A verdict that differs from what is stored. */
export interface HealthChange {
  readonly endpointId: string;
  readonly health: Health;
  readonly disable: DisabledReason | undefined;
  /** What the receiver answered to the attempt that disabled it, for the notice. */
  readonly lastStatus: number | null;
}

/** One row to write: the record of an attempt and, unless the pending delivery ends with it, its next due time. */
export interface AttemptResult {
  readonly ended: EndedAttempt;
  readonly status: DeliveryStatus;
  readonly dueAt: Date | null;
}

/** When an attempt ended, in the database's time. */
function endOf({ startedAt, durationMs }: EndedAttempt): Date {
  return new Date(startedAt.getTime() + Math.round(durationMs));
}

/**
 * What the attempts to one endpoint say about its health; undefined when nothing changes (H69–H71).
 */
export function healthChange(
  endpoint: EndpointSnapshot,
  attempts: readonly EndedAttempt[],
  policy: RetryPolicy,
): HealthChange | undefined {
  // An endpoint that is off has no run to prolong: switching it on starts afresh (H75).
  if (!endpoint.live) return undefined;
  const samples = attempts
    .filter(({ claim }) => !claim.test && claim.url === (endpoint.url ?? claim.url))
    .map((ended) => ({ outcome: ended.outcome, endedAt: endOf(ended) }))
    .sort((one, other) => one.endedAt.getTime() - other.endedAt.getTime());
  const { health, disable } = assessHealth(endpoint, samples, policy);
  if (disable === undefined && sameHealth(health, endpoint)) return undefined;
  const last = disable?.last;
  const lastStatus = last && 'status' in last ? last.status : null;
  return { endpointId: endpoint.id, health, disable: disable?.reason, lastStatus };
}

/**
 * Decides what an attempt's record says and when the pending delivery is due again (H60, H61).
 * @param deliverable whether the endpoint goes on taking this pending delivery's events after this settlement
 */
export function attemptResultOf(
  ended: EndedAttempt,
  deliverable: boolean,
  policy: RetryPolicy,
  random: () => number,
): AttemptResult {
  const { claim, outcome } = ended;
  const step = nextStep(outcome, claim.attempt, claim.maxAttempts, policy, random);
  if (step.kind === 'done') return { ended, status: 'success', dueAt: null };
  if (step.kind === 'abandon' || !deliverable) return { ended, status: 'abandoned', dueAt: null };
  const dueAt = new Date(endOf(ended).getTime() + step.afterMs);
  return { ended, status: 'failed', dueAt };
}

/** Whether `endpoint` takes the events of this attempt's pending delivery; a test asks for no subscription. */
export function isDeliverable(endpoint: EndpointSnapshot, { claim }: EndedAttempt): boolean {
  return endpoint.live && (claim.test || endpoint.eventTypes.split(' ').includes(claim.event.type));
}

/** Whose claim an attempt was made under, and what fences it. */
export function fenceColumns(ended: readonly EndedAttempt[]): string[] {
  return [
    arrayLiteral(ended.map(({ claim }) => claim.pendingDeliveryId)),
    arrayLiteral(ended.map(({ claim }) => claim.token)),
  ];
}

/** {@link fenceColumns} and what the records of accepted attempts say besides what the pending delivery knows. */
export function acceptedColumns(ended: readonly EndedAttempt[]): string[] {
  const column = (value: (ended: EndedAttempt) => ArrayValue) => arrayLiteral(ended.map(value));
  return [
    ...fenceColumns(ended),
    column(({ deliveryId }) => deliveryId),
    column(({ claim }) => claim.event.version),
    column(({ outcome }) => ('status' in outcome ? outcome.status : null)),
    column(({ durationMs }) => Math.round(durationMs)),
    column(({ startedAt }) => startedAt.toISOString()),
    column((each) => endOf(each).toISOString()),
  ];
}

/** The columns of the records and pending deliveries of attempts that were not accepted, one array each. */
export function columnsOf(results: readonly AttemptResult[]): string[] {
  const column = (value: (result: AttemptResult) => ArrayValue) => arrayLiteral(results.map(value));
  return [
    column(({ ended }) => ended.claim.pendingDeliveryId),
    column(({ ended }) => ended.deliveryId),
    column(({ ended }) => ended.claim.accountId),
    column(({ ended }) => ended.claim.endpointId),
    column(({ ended }) => ended.claim.event.id),
    column(({ ended }) => ended.claim.event.type),
    column(({ ended }) => ended.claim.event.version),
    column(({ ended }) => ended.claim.attempt),
    column(({ ended }) => ended.claim.maxAttempts),
    column(({ status }) => status),
    column(({ ended }) => ended.claim.test),
    column(({ ended }) => ended.claim.replayedFrom),
    column(({ ended: { outcome } }) => ('status' in outcome ? outcome.status : null)),
    column(({ ended }) => failureReason(ended.outcome)),
    column(({ ended }) => (ended.outcome.kind === 'refused' ? null : Math.round(ended.durationMs))),
    column(({ ended }) => ended.startedAt.toISOString()),
    column(({ dueAt }) => dueAt?.toISOString() ?? null),
  ];
}
