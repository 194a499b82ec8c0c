import { validationFailed } from '../errors.js';
import type { EventSummary } from '../event/events.js';
import { oldestListedId } from '../list/time-range.js';
import type { Read, Statement } from '../transaction/tx.js';
import { getEndpoint } from './endpoints.js';
import { filterIssue, isProblem, parseFilter, toJsonPath } from './filter.js';

/** A recent event, and whether a filter matches it. */
export interface TriedEvent extends Pick<EventSummary, 'id' | 'type' | 'subject' | 'occurredAt'> {
  readonly matches: boolean;
}

/** At most this many events are tried, and so many of the account are read for them. */
const maxTried = 100;
const maxRead = 10_000;

const inRange = `(e.account_id, e.id) < ($1, 'evt~') and (e.account_id, e.id) >= ($1, ${oldestListedId('evt')})`;
const newestFirst = 'order by e.account_id desc, e.id desc';

const tryStatement: Statement = {
  name: 'endpoint_filter_try',
  text: `
    with bound as materialized (
      select e.id from event e where ${inRange} ${newestFirst} offset ${maxRead - 1} limit 1
    )
    select v.id, v.type, v.subject, v.occurred_at as "occurredAt",
           (convert_from(v.body, 'UTF8')::jsonb @@ $3::jsonpath) is true as matches
      from (select * from event e
             where ${inRange} and e.id >= coalesce((select b.id from bound b), '')
               and e.type = any ($2::text[]) and e.endpoint_id is null
             ${newestFirst} limit ${maxTried}) v
     order by v.id desc`,
};

/**
 * Says which of the newest events of an endpoint's types a filter matches, newest first: at most 100 of the newest 10,000
 * events of the account. It changes nothing.
 * @throws DomainError not_found; validation_failed for a text that is no filter
 */
export async function tryFilter(
  read: Read,
  account: string,
  endpointId: string,
  text: string,
): Promise<TriedEvent[]> {
  const { eventTypes } = await getEndpoint(read, account, endpointId);
  const filter = parseFilter(text);
  if (isProblem(filter)) throw validationFailed([filterIssue('filter', filter)]);
  return read.sql<TriedEvent>(tryStatement, [account, eventTypes, toJsonPath(filter)]);
}
