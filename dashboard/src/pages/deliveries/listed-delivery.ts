import type { deliveriesQuery } from '../../generated/documents.js';
import type { DeliveryFilter } from './delivery-filter.js';

/** An attempt as lists show it. */
export type ListedDelivery = Omit<
  deliveriesQuery['deliveries']['data'][number],
  'failureReason' | 'endpoint'
> & {
  readonly failureReason?: string | null;
  /** The stream names the endpoint only. */
  readonly endpoint: { readonly id: string; readonly url?: string } | null;
};

/** The data of a frame `delivery` of the stream. */
interface DeliveryFrame {
  readonly id: string;
  readonly status: ListedDelivery['status'];
  readonly attempt: number;
  readonly max_attempts: number;
  readonly created_at: string;
  readonly duration_ms?: number;
  readonly response_status?: number;
  readonly event_id: string;
  readonly event_type: string;
  readonly replayed_from?: string;
  readonly test: boolean;
  readonly endpoint_id: string;
}

/** Reads the data of a frame of the stream. */
export function deliveryOfFrame(data: string): ListedDelivery {
  const frame = JSON.parse(data) as DeliveryFrame;
  return {
    id: frame.id,
    status: frame.status,
    attempt: frame.attempt,
    maxAttempts: frame.max_attempts,
    createdAt: frame.created_at,
    durationMs: frame.duration_ms ?? null,
    responseStatus: frame.response_status ?? null,
    eventId: frame.event_id,
    eventType: frame.event_type,
    replayedFrom: frame.replayed_from ?? null,
    test: frame.test,
    endpoint: { id: frame.endpoint_id },
  };
}

/** Whether a list with this filter shows a delivery that has just ended. */
export function matchesFilter(delivery: ListedDelivery, filter: DeliveryFilter): boolean {
  const { endpoint, event, type, status, until } = filter;
  return (
    (endpoint === undefined || delivery.endpoint?.id === endpoint) &&
    (event === undefined || delivery.eventId === event) &&
    (type === undefined || delivery.eventType === type) &&
    (status === undefined || delivery.status === status) &&
    (until === undefined || Date.parse(delivery.createdAt) < Date.parse(until))
  );
}
