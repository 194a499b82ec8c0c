import type { DeliveryFilter } from './delivery-filter.js';

/** A range as date and time fields hold it, in the reader's time zone; '' for an open end. */
export interface RangeFields {
  readonly since: string;
  readonly until: string;
}

type Instants = Pick<DeliveryFilter, 'since' | 'until'>;

const minuteMs = 60_000;

/** The fields of a range, in whole minutes. */
export function fieldsOf({ since, until }: Instants): RangeFields {
  return { since: fieldOf(since), until: fieldOf(until) };
}

/** Whether the range of the fields is empty. */
export function isEmptyRange({ since, until }: RangeFields): boolean {
  return since !== '' && until !== '' && Date.parse(since) >= Date.parse(until);
}

/** The range of the fields. An unchanged field keeps the seconds of `before`. */
export function instantsOf(fields: RangeFields, before: Instants): Instants {
  const since = instantOf(fields.since, before.since);
  const until = instantOf(fields.until, before.until);
  return { ...(since && { since }), ...(until && { until }) };
}

function fieldOf(instant: string | undefined): string {
  if (instant === undefined) return '';
  const time = Date.parse(instant);
  const zoneMs = new Date(time).getTimezoneOffset() * minuteMs;
  return new Date(time - zoneMs).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}

function instantOf(field: string, before: string | undefined): string | undefined {
  if (field === fieldOf(before)) return before;
  const time = Date.parse(field);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
