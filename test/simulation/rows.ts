import type { SentClaim } from '../../src/domain/delivery/attempt.js';
import type { Lane } from '../../src/domain/delivery/claim.js';
import type { DisabledReason } from '../../src/domain/rules.js';
import type { DeliveryStatus } from '../../src/domain/delivery/attempt-result.js';
import type { SealedSecret } from '../../src/domain/sealer.js';

/** A row of `endpoint`, as far as deliveries depend on it; times in milliseconds. */
export interface EndpointRow {
  readonly id: string;
  readonly accountId: string;
  url: string;
  active: boolean;
  deleted: boolean;
  eventTypes: readonly string[];
  disabledReason: DisabledReason | null;
  failingSince: number | null;
  failureCount: number;
  warnings: number;
  updatedAt: number;
  /** The change behind the cancellation backlog: `cancelling_since` and the columns after it. */
  cancellingSince: number | null;
  cancelBefore: number | null;
  cancelTypes: Readonly<Record<string, number>> | null;
  /** Newest first. */
  secrets: readonly (SealedSecret & { readonly endsAt: number })[];
}

/** A row of `pending_delivery`. */
export interface PendingDeliveryRow {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly maxAttempts: number;
  readonly test: boolean;
  readonly replayedFrom: string | null;
  createdAt: number;
  lane: Lane;
  ready: boolean;
  dueAt: number;
  attempt: number;
  leaseToken: number | null;
  lastDeliveryId: string | null;
  interruptions: number;
  deadLettered: boolean;
}

/** A row of `delivery`. */
export interface DeliveryRow {
  readonly id: string;
  readonly pendingDeliveryId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly test: boolean;
  readonly replayedFrom: string | null;
  readonly attempt: number;
  readonly maxAttempts: number;
  status: DeliveryStatus;
}

/** A pending delivery that is due at once. */
export function newPendingDelivery(
  values: Pick<
    PendingDeliveryRow,
    'id' | 'endpointId' | 'eventId' | 'eventType' | 'maxAttempts' | 'test' | 'replayedFrom'
  >,
): PendingDeliveryRow {
  const { id, endpointId, eventId, eventType, maxAttempts, test, replayedFrom } = values;
  return {
    id,
    endpointId,
    eventId,
    eventType,
    maxAttempts,
    test,
    replayedFrom,
    lane: replayedFrom === null ? 'live' : 'replay',
    ready: true,
    createdAt: 0,
    dueAt: 0,
    attempt: 1,
    leaseToken: null,
    lastDeliveryId: null,
    interruptions: 0,
    deadLettered: false,
  };
}

/** The record of an attempt under this claim. */
export function deliveryOf(claim: SentClaim, id: string, status: DeliveryStatus): DeliveryRow {
  const { pendingDeliveryId, endpointId, event, test, replayedFrom, attempt, maxAttempts } = claim;
  return {
    id,
    pendingDeliveryId,
    endpointId,
    eventId: event.id,
    eventType: event.type,
    test,
    replayedFrom,
    attempt,
    maxAttempts,
    status,
  };
}

/** Whether the endpoint takes the events of this pending delivery; a test asks for no subscription. */
export function matchesEndpoint(
  { active, deleted, eventTypes }: EndpointRow,
  { test, eventType }: Pick<PendingDeliveryRow, 'test' | 'eventType'>,
): boolean {
  return active && !deleted && (test || eventTypes.includes(eventType));
}
