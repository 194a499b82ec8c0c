import { base } from '../../api/base.js';
import type { DeliveryStatus } from '../../generated/documents.js';

/** Which deliveries a list shows, read from its URL. */
export interface DeliveryFilter {
  readonly endpoint?: string;
  readonly event?: string;
  readonly type?: string;
  readonly status?: DeliveryStatus;
  /** The latest hour, day, week or month, or the range from `since` to `until`. */
  readonly range?: Range | typeof customRange;
  /** RFC 3339. A chart links to such a range, too. */
  readonly since?: string;
  readonly until?: string;
}

/** A range that ends now. */
export type Range = (typeof ranges)[number];

export const ranges = ['hour', 'day', 'week', 'month'] as const;
/** The choice that shows fields for a range. */
export const customRange = 'custom';
export const statuses: readonly DeliveryStatus[] = ['success', 'failed', 'abandoned'];
/** The path of the list. */
export const deliveriesPath = `${base}/deliveries`;

const hourMs = 60 * 60 * 1_000;
const lengthMs: Readonly<Record<Range, number>> = {
  hour: hourMs,
  day: 24 * hourMs,
  week: 7 * 24 * hourMs,
  month: 30 * 24 * hourMs,
};

type Query = Readonly<Record<string, string | undefined>>;

/** Reads the filter from a URL, ignoring values that it does not know. */
export function readFilter(query: Query): DeliveryFilter {
  const status = statuses.find((known) => known === query['status']);
  const range = ranges.find((known) => known === query['range']);
  const since = instantOf(query['since']);
  const until = instantOf(query['until']);
  return {
    ...(query['endpoint'] && { endpoint: query['endpoint'] }),
    ...(query['event'] && { event: query['event'] }),
    ...(query['type'] && { type: query['type'] }),
    ...(status && { status }),
    ...(range && { range }),
    ...(query['range'] === customRange && { range: customRange }),
    ...(!range && since && { since }),
    ...(!range && until && { until }),
  };
}

/** Whether the reader or a chart chose the range. */
export function isCustom({ range, since, until }: DeliveryFilter): boolean {
  return range === customRange || (since ?? until) !== undefined;
}

/** The filter with another choice of time. A custom range starts with the times chosen before. */
export function withRange(filter: DeliveryFilter, choice: string, now: number): DeliveryFilter {
  const { range, since, until, ...rest } = filter;
  if (choice !== customRange) return readFilter({ ...rest, range: choice });
  const start = range && range !== customRange ? startOf(range, now) : since;
  return readFilter({ ...rest, range: customRange, since: start, until });
}

/** The path of the list with a filter, and with the delivery that is open in the drawer. */
export function pathOfList(filter: DeliveryFilter, open?: string): string {
  const query = new URLSearchParams({ ...filter, ...(open && { open }) });
  return query.size === 0 ? deliveriesPath : `${deliveriesPath}?${query.toString()}`;
}

/** The variables of a search, at a time in milliseconds. */
export function searchOf(filter: DeliveryFilter, now: number) {
  const { type, range, since, ...rest } = filter;
  const start = range && range !== customRange ? startOf(range, now) : since;
  return { ...rest, ...(type && { eventType: type }), ...(start && { since: start }) };
}

/** The start of the latest hour, day, week or month. */
export function startOf(range: Range, now: number): string {
  return new Date(now - lengthMs[range]).toISOString();
}

function instantOf(value: string | undefined): string | undefined {
  // Times near the limit of Date are invalid in some time zones.
  return value !== undefined && Math.abs(Date.parse(value)) < 8e15 ? value : undefined;
}

/** A range as date and time fields hold it, in the reader's time zone; '' for an open end. */
export interface RangeFields {
  readonly since: string;
  readonly until: string;
}

type Instants = Pick<DeliveryFilter, 'since' | 'until'>;

const minuteMs = 60_000;

/** The fields of a range, in whole minutes. */
export function fieldsOf({ since, until }: Instants): RangeFields {
  return { since: fieldOfInstant(since), until: fieldOfInstant(until) };
}

/** Whether the range of the fields is empty. */
export function isEmptyRange({ since, until }: RangeFields): boolean {
  return since !== '' && until !== '' && Date.parse(since) >= Date.parse(until);
}

/** The range of the fields. An unchanged field keeps the seconds of `before`. */
export function instantsOf(fields: RangeFields, before: Instants): Instants {
  const since = instantOfField(fields.since, before.since);
  const until = instantOfField(fields.until, before.until);
  return { ...(since && { since }), ...(until && { until }) };
}

function fieldOfInstant(instant: string | undefined): string {
  if (instant === undefined) return '';
  const time = Date.parse(instant);
  const zoneMs = new Date(time).getTimezoneOffset() * minuteMs;
  return new Date(time - zoneMs).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}

function instantOfField(field: string, before: string | undefined): string | undefined {
  if (field === fieldOfInstant(before)) return before;
  const time = Date.parse(field);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
