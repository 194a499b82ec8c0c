import type { deliveriesQuery } from '../../generated/documents.js';
import type { DeliveryFilter } from './delivery-filter.js';

/** The deliveries of a list: newest first, each once. */
export interface DeliveryList {
  readonly rows: readonly ListedDelivery[];
  /** Where the next page begins; null after the last page. */
  readonly next: string | null | undefined;
  /** How many pages in a row were empty: the search goes far back. */
  readonly emptyPages: number;
  /** Deliveries that finished while the reader looks at older ones, newest first. */
  readonly arrived: readonly ListedDelivery[];
}

/** A list before its first page. */
export const emptyList: DeliveryList = { rows: [], next: undefined, emptyPages: 0, arrived: [] };
/** The most rows that a list holds. A filter finds older ones. */
export const maxRows = 10_000;
/** After this many empty pages, the reader decides whether to search on. */
const maxEmptyPages = 3;

interface Page {
  readonly data: readonly ListedDelivery[];
  readonly page: { readonly nextCursor: string | null };
}

/** Adds the next page. */
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

/** Adds deliveries that have just finished: to the list, or to those held back. */
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
  // A slow attempt finishes after newer ones.
  const rows = [...arrived, ...list.rows].sort(newestFirst).slice(0, maxRows);
  return { ...list, rows, arrived: [] };
}

/** Whether to read the next page when the last rows become visible. */
export function wantsPage({ rows, next, emptyPages }: DeliveryList): boolean {
  return next != null && rows.length < maxRows && emptyPages < maxEmptyPages;
}

/** Continues a search that stopped after empty pages. */
export function goOn(list: DeliveryList): DeliveryList {
  return { ...list, emptyPages: 0 };
}

function idsOf({ rows, arrived }: DeliveryList): ReadonlySet<string> {
  return new Set([...arrived, ...rows].map(({ id }) => id));
}

/** Ids sort by the start of the attempt, as the service lists them. */
function newestFirst(one: ListedDelivery, other: ListedDelivery): number {
  return other.id < one.id ? -1 : 1;
}

/** An attempt as lists show it. */
export type ListedDelivery = Omit<
  deliveriesQuery['deliveries']['data'][number],
  'failureReason' | 'endpoint'
> & {
  readonly failureReason?: string | null;
  /** The stream sends the id of the endpoint only. */
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

/** Whether a list with this filter shows a delivery that has just finished. */
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
