// Searches the delivery records of an account by any filters, newest first, at a bounded cost.
//
// Each search reads one index: the one that leaves the fewest records among those that its filters name. The
// other filters are applied to what the index finds. The indexes of endpoints, types and accounts hold a hash
// of these columns and of the status, so a search without a status makes one scan for each status and merges
// what they find.
//
// Invariant: a page reads at most 10,000 records. When that many do not fill it, the scan returns the record
// where it stopped (`last`), and the next page begins after that. Reading changes nothing, so a crash leaves
// nothing.
import { type Page, pageOf, type PageRequest, pageStart } from '../list/cursor-page.js';
import { requireAccountEndpoint } from '../transaction/rows.js';
import { getEvent } from '../event/events.js';
import { checkRange, idRange, type TimeRange, oldestListedId } from '../list/time-range.js';
import type { Read, Statement } from '../transaction/tx.js';
import { type Delivery, listDeliveries, deliveryColumns } from './deliveries.js';
import type { DeliveryStatus } from './attempt-result.js';

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
    filter: JSON.stringify(filters.map((filter) => filter ?? null)),
  };

  const cursor = pageStart(read, scope, page);

  if (endpoint != null) await requireAccountEndpoint(read, accountId, endpoint);
  if (event != null) await getEvent(read, accountId, event);

  const { from, before } = idRange('whd', search, cursor);
  const values = [accountId, before, from, page.limit + 1, ...filters.slice(0, 6)];
  const rows = await read.sql<ScannedRow>(
    searchStatements[indexOf(search)],
    values.map((value) => value ?? null),
  );

  // Older than the first row where a scan stopped, records of that scan may be missing.
  const stop = rows.find(({ last }) => last);
  const matching = rows.filter(({ id, matches }) => matches && (!stop || id >= stop.id));
  return pageOf(read, scope, page.limit, matching, stop?.id);
}

/**
 * Searches as {@link searchDeliveries}; with no filter but the status, lists as {@link listDeliveries}, whose
 * pages are always full.
 */
export function findDeliveries(
  read: Read,
  accountId: string,
  search: DeliverySearch,
  page: PageRequest,
): Promise<Page<Delivery>> {
  const { status, ...others } = search;
  return Object.values(others).some((filter) => filter != null)
    ? searchDeliveries(read, accountId, search, page)
    : listDeliveries(read, accountId, { ...page, status });
}

/** A record that a scan returned. */
interface ScannedRow extends Delivery {
  /** Whether all filters hold; false for the row that marks where a scan stopped. */
  readonly matches: boolean;
  /** Whether its scan stopped here, because it had read as many records as it may. */
  readonly last: boolean;
}

/** Chooses the index that leaves the fewest records. */
function indexOf({ event, endpoint, status, eventType }: DeliverySearch): SearchIndex {
  if (event != null) return 'event';
  if (endpoint != null && eventType != null)
    return status == null ? 'endpoint_type' : 'endpoint_type_status';
  if (endpoint != null) return status == null ? 'endpoint' : 'endpoint_status';
  if (eventType != null) return status == null ? 'type' : 'type_status';
  return status == null ? 'account' : 'status';
}

/** The index that finds the records of a search. */
type SearchIndex = keyof typeof scansByIndex;

/** One page reads at most this many records. */
const searchReadLimit = 10_000;

/** One scan of an index, in SQL; its order is that of `key`, then of `place`. */
interface IndexScan {
  readonly condition: string;
  /** The first column of the index, unless the planner knows that all rows have the same. */
  readonly key?: string;
  /** The column of the index that holds the id. */
  readonly place: string;
}

const oldest = oldestListedId('whd');

/** Scans an index of columns. */
const scanColumns = (condition: string): readonly IndexScan[] => [
  {
    condition: `${condition} and d.id < $2 and d.id >= $3 and d.id >= ${oldest}`,
    place: 'd.id',
  },
];

/** An index of the hash of some columns and the status. */
interface HashIndex {
  /** The columns that are hashed. */
  readonly columns: string;
  /** The values of these columns in a search, without the status. */
  readonly values: string;
  /** The column of the index that holds the id. */
  readonly place: string;
}

const endpointIndex: HashIndex = {
  columns: 'd.endpoint_id || d.status',
  values: '$5::text collate "C"',
  place: 'd.id',
};
const endpointTypeIndex: HashIndex = {
  columns: 'd.endpoint_id || d.event_type || d.status',
  values: '$5::text collate "C" || $6::text',
  place: "(d.id || '')",
};
const accountIndex: HashIndex = {
  columns: 'd.account_id || d.status',
  values: '$1::text collate "C"',
  place: "(d.id || '')",
};
const accountTypeIndex: HashIndex = {
  columns: 'd.account_id || d.event_type || d.status',
  values: '$1::text collate "C" || $6::text',
  place: "(d.id || '')",
};

/**
 * Scans by the hash; `matches` then compares the texts themselves. Hash and id are compared together: only the
 * index of the hash can do that and has that order. Otherwise the planner could read all records by their ids.
 */
const scanHash = ({ columns, values, place }: HashIndex, status: string): IndexScan => {
  const hash = (texts: string) => `hashtextextended(${texts}, 0)`;
  const value = hash(`${values} || ${status}`);
  return {
    condition: `(d.key, d.place) < (${value}, $2)
             and (d.key, d.place) >= (${value}, greatest($3, ${oldest}))`,
    key: hash(columns),
    place,
  };
};

/** One scan for each status. */
const scanEveryStatus = (index: HashIndex): readonly IndexScan[] =>
  ["'success'", "'failed'", "'abandoned'"].map((status) => scanHash(index, status));

/** One scan for the status that the search asks for. */
const scanStatus = (index: HashIndex): readonly IndexScan[] => [scanHash(index, '$8::text')];

/**
 * The scans of a search, by its index. The outer query compares the account, so that the planner cannot choose the
 * index of accounts.
 */
const scansByIndex = {
  event: scanColumns('d.event_id = $7'),
  endpoint: scanEveryStatus(endpointIndex),
  endpoint_status: scanStatus(endpointIndex),
  endpoint_type: scanEveryStatus(endpointTypeIndex),
  endpoint_type_status: scanStatus(endpointTypeIndex),
  type: scanEveryStatus(accountTypeIndex),
  type_status: scanStatus(accountTypeIndex),
  status: scanStatus(accountIndex),
  account: scanColumns('d.account_id = $1'),
} satisfies Record<string, readonly IndexScan[]>;

/**
 * In SQL: scans an index, newest records first, until there are enough for a page or `limit` records are read. The
 * last of these is returned in any case, so that the next page begins after it. Each level has the same order, so
 * that none sorts and PostgreSQL reads no further than the page needs.
 */
const scanText = ({ condition, key, place }: IndexScan, limit: number): string => {
  const keyed = key === undefined ? '' : `${key} as key, `;
  const newestFirst = `order by ${key === undefined ? '' : 'd.key desc, '}d.place desc`;
  return `(
    select ${deliveryColumns}, d.matches, d.last from (
      select d.*,
             d.account_id = $1 and ($5::text is null or d.endpoint_id = $5)
               and ($6::text is null or d.event_type = $6)
               and ($7::text is null or d.event_id = $7)
               and ($8::text is null or d.status = $8)
               and ($9::boolean is null or d.test = $9)
               and ($10::boolean is null or (d.replayed_from is not null) = $10) as matches,
             row_number() over () = ${limit} as last
        from (
          select * from (select d.*, ${keyed}${place} as place from delivery d) d
           where ${condition}
           ${newestFirst} limit ${limit}) d
       ${newestFirst}
    ) d
     where d.matches or d.last
     ${newestFirst} limit $4)`;
};

/**
 * Merges the scans of an index. Each has its share of {@link searchReadLimit}, and finds enough for a page by itself,
 * so few rows are sorted.
 */
function searchStatement(index: SearchIndex): Statement {
  const scans: readonly IndexScan[] = scansByIndex[index];
  const limit = Math.floor(searchReadLimit / scans.length);
  const text = scans.map((scan) => scanText(scan, limit)).join(' union all ');
  return {
    name: `delivery_search_${index}`,
    text: `select * from (${text}) parts order by id desc`,
  };
}

/** The statements of a search, by index. */
const searchStatements: Readonly<Record<SearchIndex, Statement>> = {
  event: searchStatement('event'),
  endpoint: searchStatement('endpoint'),
  endpoint_status: searchStatement('endpoint_status'),
  endpoint_type: searchStatement('endpoint_type'),
  endpoint_type_status: searchStatement('endpoint_type_status'),
  type: searchStatement('type'),
  type_status: searchStatement('type_status'),
  status: searchStatement('status'),
  account: searchStatement('account'),
};
