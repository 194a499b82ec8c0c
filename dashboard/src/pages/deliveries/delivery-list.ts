import type { deliveriesQuery } from '../../generated/documents.js';
import type { DeliveryFilter } from './delivery-filter.js';

/** What a list of deliveries holds: newest first, each once. */
export interface DeliveryList {
  readonly rows: readonly ListedDelivery[];
  /** Where the next page begins; null behind the last. */
  readonly next: string | null | undefined;
  /** Pages without rows since the last one with rows: the search goes far back. */
  readonly emptyPages: number;
  /** Deliveries that ended while the reader looks at older ones, newest first. */
  readonly arrived: readonly ListedDelivery[];
}

/** A list that has read nothing yet. */
export const emptyList: DeliveryList = { rows: [], next: undefined, emptyPages: 0, arrived: [] };
/** A list holds this many rows; a filter finds older ones. */
export const maxRows = 10_000;
/** A search asks by itself for so many pages without rows. */
const maxEmptyPages = 3;

interface Page {
  readonly data: readonly ListedDelivery[];
  readonly page: { readonly nextCursor: string | null };
}

/** Adds the page that follows. */
export function addPage(list: DeliveryList, { data, page }: Page): DeliveryList {
  const known = idsOf(list);
  const added = data.filter(({ id }) => !known.has(id));
  return {
    ...list,
    rows: [...list.rows, ...added].slice(0, maxRows),
    next: page.nextCursor,
    emptyPages: data.length === 0 ? list.emptyPages + 1 : 0,
  };
}

/** Adds deliveries that have just ended: to the list, or to those that wait to be shown. */
export function addArrived(
  list: DeliveryList,
  deliveries: readonly ListedDelivery[],
  show: boolean,
): DeliveryList {
  if (deliveries.length === 0 && list.arrived.length === 0) return list;
  const known = idsOf(list);
  const added = deliveries.filter(({ id }) => !known.has(id)).sort(newestFirst);
  if (added.length === 0 && (!show || list.arrived.length === 0)) return list;
  const arrived = [...added, ...list.arrived].sort(newestFirst).slice(0, maxRows);
  if (!show) return { ...list, arrived };
  // An attempt that waited long ends after newer ones.
  const rows = [...arrived, ...list.rows].sort(newestFirst).slice(0, maxRows);
  return { ...list, rows, arrived: [] };
}

/** Whether to read the next page when the last rows are in sight. */
export function wantsPage({ rows, next, emptyPages }: DeliveryList): boolean {
  return next != null && rows.length < maxRows && emptyPages < maxEmptyPages;
}

/** Lets a search that found nothing for long go on. */
export function goOn(list: DeliveryList): DeliveryList {
  return { ...list, emptyPages: 0 };
}

function idsOf({ rows, arrived }: DeliveryList): ReadonlySet<string> {
  return new Set([...arrived, ...rows].map(({ id }) => id));
}

/** By when the attempt began, as the service lists them. */
function newestFirst(one: ListedDelivery, other: ListedDelivery): number {
  return other.id < one.id ? -1 : 1;
}

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
