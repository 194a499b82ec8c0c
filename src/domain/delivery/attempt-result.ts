import { arrayLiteral, type ArrayValue } from '../transaction/sql.js';
import type { RetryPolicy } from '../transaction/rules.js';
import { type EndedAttempt, nextStep } from './attempt.js';
import { assessHealth, type Health, type HealthChange, sameHealth } from './health.js';
import { failureReason } from './outcome.js';

/** The status of a delivery record. */
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliveryStatuses = ['success', 'failed', 'abandoned'] as const;

/** An endpoint as the result writer reads it. */
export interface EndpointSnapshot extends Health {
  readonly id: string;
  /** Active and not deleted. */
  readonly live: boolean;
  /** Separated by spaces: one text costs less to read than an array per row. */
  readonly eventTypes: string;
  /** Set when the row was read with a lock. Attempts to another URL say nothing about this one. */
  readonly url?: string;
}

/**
 * One row to write: the record of an attempt and when the next one is due; null when none follows.
 */
export interface AttemptResult {
  readonly ended: EndedAttempt;
  readonly status: DeliveryStatus;
  readonly dueAt: Date | null;
}

/** Returns when an attempt ended, in the database's time. */
function endOf({ startedAt, durationMs }: EndedAttempt): Date {
  return new Date(startedAt.getTime() + Math.round(durationMs));
}

/** Derives an endpoint's health from its latest attempts; undefined when nothing changes. */
export function healthChange(
  endpoint: EndpointSnapshot,
  attempts: readonly EndedAttempt[],
  policy: RetryPolicy,
): HealthChange | undefined {
  // A disabled endpoint counts no failures. Enabling it starts a new run.
  if (!endpoint.live) return undefined;

  const samples = attempts
    .filter(({ claim }) => !claim.test && claim.url === (endpoint.url ?? claim.url))
    .map((ended) => ({ outcome: ended.outcome, endedAt: endOf(ended) }))
    .sort((one, other) => one.endedAt.getTime() - other.endedAt.getTime());

  const { health, disable, warn, recovered } = assessHealth(endpoint, samples, policy);
  if (disable === undefined && sameHealth(health, endpoint)) return undefined;

  const last = disable?.last ?? warn;
  const lastStatus = last && 'status' in last ? last.status : null;
  return {
    endpointId: endpoint.id,
    health,
    recovered,
    lastStatus,
    disable: disable?.reason,
    warn: warn !== undefined,
  };
}

/**
 * Decides the status of an attempt's record and when the next attempt is due.
 * @param deliverable whether the endpoint still takes the event after these results
 */
export function attemptResultOf(
  ended: EndedAttempt,
  deliverable: boolean,
  policy: RetryPolicy,
  random: () => number,
): AttemptResult {
  const { claim, outcome } = ended;
  const step = nextStep(outcome, claim, policy, random);
  if (step.kind === 'done') return { ended, status: 'success', dueAt: null };
  if (step.kind === 'abandon' || !deliverable) return { ended, status: 'abandoned', dueAt: null };
  const dueAt = new Date(endOf(ended).getTime() + step.afterMs);
  return { ended, status: 'failed', dueAt };
}

/** Whether `endpoint` takes the event of this attempt. Test deliveries need no subscription. */
export function isDeliverable(endpoint: EndpointSnapshot, { claim }: EndedAttempt): boolean {
  return endpoint.live && (claim.test || endpoint.eventTypes.split(' ').includes(claim.event.type));
}

/** The columns that fence attempts: pending delivery and claim token. */
export function fenceColumns(ended: readonly EndedAttempt[]): string[] {
  return [
    arrayLiteral(ended.map(({ claim }) => claim.pendingDeliveryId)),
    arrayLiteral(ended.map(({ claim }) => claim.token)),
  ];
}

/**
 * {@link fenceColumns}, and the columns of accepted attempts that their pending deliveries do not
 * have.
 */
export function acceptedColumns(ended: readonly EndedAttempt[]): string[] {
  const column = (value: (ended: EndedAttempt) => ArrayValue) => arrayLiteral(ended.map(value));
  return [
    ...fenceColumns(ended),
    column(({ deliveryId }) => deliveryId),
    column(({ claim }) => claim.event.version),
    column(({ outcome }) => ('status' in outcome ? outcome.status : null)),
    column(({ durationMs }) => Math.round(durationMs)),
    // Milliseconds: both sides take longer for times as text.
    column(({ startedAt }) => startedAt.getTime()),
  ];
}

/**
 * The columns of attempts that were not accepted, for their records and pending deliveries, one
 * array each.
 */
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
