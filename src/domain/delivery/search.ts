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

interface FoundRow extends Delivery {
  /** Whether all filters hold; false for the row that marks where the scan stopped. */
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

/** The index that finds the records of a search. Other filters are applied to what it finds. */
type SearchedBy = keyof typeof selections;

/** One page reads at most this many records. */
const searchReadLimit = 10_000;

/** What one index finds, in the order of `key`, then of `place`. */
interface Part {
  readonly condition: string;
  /** The first column of the index, if the planner cannot know that it is the same in all rows. */
  readonly key?: string;
  /** The column of the index that holds the id. */
  readonly place: string;
}

const oldest = oldestListedId('whd');

/** Finds by an index of columns. */
const byColumns = (condition: string): readonly Part[] => [
  {
    condition: `${condition} and d.id < $2 and d.id >= $3 and d.id >= ${oldest}`,
    place: 'd.id',
  },
];

/** What an index holds the hash of: columns, and their values in a search. */
interface Hashed {
  readonly columns: string;
  readonly values: string;
  readonly place: string;
}

/**
 * Finds by the hash of texts, which the outer condition compares themselves. Hash and id are compared
 * together: only the index of the hash can do that and has that order. Otherwise the planner could read
 * all records by their ids.
 */
const byHash = ({ columns, values, place }: Hashed, status: string): Part => {
  const hash = (texts: string) => `hashtextextended(${texts}, 0)`;
  const value = hash(`${values} || ${status}`);
  return {
    condition: `(d.key, d.place) < (${value}, $2)
             and (d.key, d.place) >= (${value}, greatest($3, ${oldest}))`,
    key: hash(columns),
    place,
  };
};

/** The keys of the indexes end with the status: without one, each status is found by itself. */
const ofAnyStatus = (hashed: Hashed): readonly Part[] =>
  ["'success'", "'failed'", "'abandoned'"].map((status) => byHash(hashed, status));
const ofStatus = (hashed: Hashed): readonly Part[] => [byHash(hashed, '$8::text')];

const endpoint: Hashed = {
  columns: 'd.endpoint_id || d.status',
  values: '$5::text collate "C"',
  place: 'd.id',
};
const endpointType: Hashed = {
  columns: 'd.endpoint_id || d.event_type || d.status',
  values: '$5::text collate "C" || $6::text',
  place: "(d.id || '')",
};
const ofAccount: Hashed = {
  columns: 'd.account_id || d.status',
  values: '$1::text collate "C"',
  place: "(d.id || '')",
};
const type: Hashed = {
  columns: 'd.account_id || d.event_type || d.status',
  values: '$1::text collate "C" || $6::text',
  place: "(d.id || '')",
};

/** Each search uses one index. The outer query compares the account, so the planner cannot choose the index of accounts. */
const selections = {
  event: byColumns('d.event_id = $7'),
  endpoint: ofAnyStatus(endpoint),
  endpoint_status: ofStatus(endpoint),
  endpoint_type: ofAnyStatus(endpointType),
  endpoint_type_status: ofStatus(endpointType),
  type: ofAnyStatus(type),
  type_status: ofStatus(type),
  status: ofStatus(ofAccount),
  account: byColumns('d.account_id = $1'),
} satisfies Record<string, readonly Part[]>;

/**
 * Reads records by an index, newest first, until there are enough for a page or `limit` records are
 * read. The last of these is returned in any case, so that the next page begins after it. Each level
 * has the same order, so that none sorts and PostgreSQL reads no further than the page needs.
 */
const read = ({ condition, key, place }: Part, limit: number): string => {
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
 * Each part has its share of {@link searchReadLimit}, and finds enough for a page by itself. A plan
 * that sorts what they find sorts few rows.
 */
function searchStatement(by: SearchedBy): Statement {
  const parts: readonly Part[] = selections[by];
  const limit = Math.floor(searchReadLimit / parts.length);
  const text = parts.map((part) => read(part, limit)).join(' union all ');
  return { name: `delivery_search_${by}`, text: `select * from (${text}) parts order by id desc` };
}

/** The statements of a search, by the index that each reads. */
const searchStatements: Readonly<Record<SearchedBy, Statement>> = {
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
