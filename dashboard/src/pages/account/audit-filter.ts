import { base } from '../../api/base.js';
import type { AuditAction } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { type Range, ranges, startOf } from '../deliveries/delivery-filter.js';

/** Which changes the log shows, read from its URL. */
export interface AuditFilter {
  readonly member?: string;
  readonly action?: AuditAction;
  readonly resource?: string;
  readonly range?: Range;
}

/** The path of the audit log. */
export const auditPath = `${base}/audit-log`;

/** Every action, in alphabetical order. */
export const auditActions = Object.keys(text.audit.phrases) as readonly AuditAction[];

type Query = Readonly<Record<string, string | undefined>>;

/** Reads the filter from a URL, ignoring values that it does not know. */
export function readAuditFilter(query: Query): AuditFilter {
  const action = auditActions.find((known) => known === query['action']);
  const range = ranges.find((known) => known === query['range']);
  return {
    ...(query['member'] && { member: query['member'] }),
    ...(action && { action }),
    ...(query['resource'] && { resource: query['resource'] }),
    ...(range && { range }),
  };
}

/** The path of the log with a filter, at one of its pages. */
export function pathOfLog(filter: AuditFilter, cursor?: string): string {
  const query = new URLSearchParams({ ...filter, ...(cursor && { cursor }) });
  return query.size === 0 ? auditPath : `${auditPath}?${query.toString()}`;
}

/** The variables of a search, at a time in milliseconds. */
export function auditSearchOf({ range, ...rest }: AuditFilter, now: number) {
  return { ...rest, ...(range && { since: startOf(range, now) }) };
}
