import { type Page, pageOf, type PageRequest, pageStart } from '../cursor-page.js';
import { requireAccountEndpoint } from '../account-endpoint.js';
import { getEvent } from '../event/events.js';
import { checkRange, idRange, type TimeRange } from '../time-range.js';
import type { Read } from '../tx.js';
import { type Delivery, listDeliveries } from './deliveries.js';
import type { DeliveryStatus } from './rules/attempt-result.js';
import { type SearchedBy, searchStatements } from './sql/search-statements.js';

/** Which deliveries to find; members that are absent or null filter nothing. */
export interface DeliverySearch extends TimeRange {
  readonly endpoint?: string | null | undefined;
  readonly eventType?: string | null | undefined;
  /** The id of the event. */
  readonly event?: string | null | undefined;
  readonly status?: DeliveryStatus | null | undefined;
  readonly test?: boolean | null | undefined;
  /** Whether the attempt belongs to a replay. */
  readonly replayed?: boolean | null | undefined;
}

interface FoundRow extends Delivery {
  /** Whether all filters hold; false for a row that only says how far was read. */
  readonly matches: boolean;
  /** Whether it is the last that one page may read, of its status if each is read by itself. */
  readonly last: boolean;
}

/**
 * Lists an account's records of the last 30 days that a search finds, newest first. Reads at most
 * 10,000 records for a page. A page with fewer than `limit` records has a cursor when more may follow.
 * @throws DomainError not_found for an endpoint or event that is not the account's
 * @throws DomainError validation_failed for an invalid page or range
 */
export async function searchDeliveries(
  read: Read,
  accountId: string,
  search: DeliverySearch,
  page: PageRequest,
): Promise<Page<Delivery>> {
  checkRange(search);
  const { endpoint, eventType, event, status, test, replayed, since, until } = search;
  const filters = [endpoint, eventType, event, status, test, replayed, since, until];
  const scope = {
    list: 'delivery_search',
    account: accountId,
    filter: JSON.stringify(filters.map((each) => each ?? null)),
  };
  const cursor = pageStart(read, scope, page);
  if (endpoint != null) await requireAccountEndpoint(read, accountId, endpoint);
  if (event != null) await getEvent(read, accountId, event);
  const { from, before } = idRange('whd', search, cursor);
  const values = [accountId, before, from, page.limit + 1, ...filters.slice(0, 6)];
  const rows = await read.sql<FoundRow>(
    searchStatements[searchedBy(search)],
    values.map((each) => each ?? null),
  );
  // Below the first of these, rows of another status may be missing.
  const bound = rows.find(({ last }) => last);
  const found = rows.filter(({ id, matches }) => matches && (!bound || id >= bound.id));
  return pageOf(read, scope, page.limit, found, bound?.id);
}

/**
 * As {@link searchDeliveries}. With no filter but the status, it is {@link listDeliveries}, whose pages
 * are always full.
 */
export function findDeliveries(
  read: Read,
  accountId: string,
  search: DeliverySearch,
  page: PageRequest,
): Promise<Page<Delivery>> {
  const { status, ...others } = search;
  return Object.values(others).some((each) => each != null)
    ? searchDeliveries(read, accountId, search, page)
    : listDeliveries(read, accountId, { ...page, status });
}

/** Chooses the filter that leaves the fewest records, among those that an index finds. */
function searchedBy({ event, endpoint, status, eventType }: DeliverySearch): SearchedBy {
  if (event != null) return 'event';
  if (endpoint != null && eventType != null)
    return status == null ? 'endpoint_type' : 'endpoint_type_status';
  if (endpoint != null) return status == null ? 'endpoint' : 'endpoint_status';
  if (eventType != null) return status == null ? 'type' : 'type_status';
  return status == null ? 'account' : 'status';
}
