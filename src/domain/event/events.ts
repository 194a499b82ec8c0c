import { type CursorScope, sealCursor } from '../cursor.js';
import { pageStart } from '../cursor-page.js';
import { notFound } from '../errors.js';
import { isId } from '../id.js';
import { oldestListedId } from '../oldest-listed.js';
import { checkRange, idRange, type TimeRange } from '../time-range.js';
import type { Read, Statement } from '../tx.js';

/** An event of an account, without its bytes. */
export interface EventSummary {
  readonly id: string;
  readonly type: string;
  readonly version: string;
  readonly subject: string;
  readonly test: boolean;
  readonly occurredAt: Date;
}

/** Which events to find; members that are absent or null filter nothing. */
export interface EventSearch extends TimeRange {
  readonly type?: string | null | undefined;
  /** The whole subject, such as `order:ord_…`. */
  readonly subject?: string | null | undefined;
}

/** One page of events; the last page has no cursor. */
export interface EventPage {
  readonly events: readonly EventSummary[];
  readonly nextCursor: string | undefined;
}

const columns = `e.id, e.type, e.version, e.subject, e.test, e.occurred_at as "occurredAt"`;

const getStatement: Statement = {
  name: 'event_get',
  text: `
    select ${columns} from event e
     where e.id between $2 and $2 and e.account_id || '' = $1 and e.id >= ${oldestListedId('evt')}`,
};

const bodyStatement: Statement = {
  name: 'event_body',
  text: `
    select convert_from(e.body, 'UTF8') as body from event e
     where e.id between $2 and $2 and e.account_id || '' = $1 and e.id >= ${oldestListedId('evt')}`,
};

/** One page reads at most this many events. */
const readLimit = 10_000;

/**
 * Compares rows, which only the index of the account can do. The primary key has the order of ids
 * too, and would lead through the events of all accounts. Each level has the same order, so that none
 * sorts and PostgreSQL reads no further than the page needs.
 */
const searchStatement: Statement = {
  name: 'event_search',
  text: `
    select * from (
      select ${columns}, ($5::text is null or e.type = $5)
               and ($6::text is null or e.subject = $6) as matches,
             row_number() over () = ${readLimit} as last
        from (select e.* from event e
               where e.account_id = $1 and (e.account_id, e.id) < ($1, $2)
                 and (e.account_id, e.id) >= ($1, greatest($3, ${oldestListedId('evt')}))
               order by e.id desc limit ${readLimit}) e
       order by e.id desc
    ) found
     where found.matches or found.last
     order by found.id desc limit $4`,
};

interface FoundRow extends EventSummary {
  /** Whether all filters hold; false for a row that only says how far was read. */
  readonly matches: boolean;
  /** Whether it is the last that one page may read. */
  readonly last: boolean;
}

/**
 * Returns one event of an account, of the last 30 days.
 * @throws DomainError not_found
 */
export async function getEvent(read: Read, account: string, id: string): Promise<EventSummary> {
  const [event] = isId('evt', id) ? await read.sql<EventSummary>(getStatement, [account, id]) : [];
  if (!event) throw notFound('event');
  return event;
}

/**
 * Checks that an event is the account's.
 * @throws DomainError not_found
 */
export async function requireOwnEvent(read: Read, account: string, id: string): Promise<void> {
  await getEvent(read, account, id);
}

/**
 * Returns the bytes that every attempt sends, as text.
 * @throws DomainError not_found
 */
export async function getEventBody(read: Read, account: string, id: string): Promise<string> {
  const [row] = await read.sql<{ body: string }>(bodyStatement, [account, id]);
  if (!row) throw notFound('event');
  return row.body;
}

/**
 * Lists an account's events of the last 30 days that a search finds, newest first. Reads at most
 * 10,000 events for a page. A page with fewer than `limit` events has a cursor when more may follow.
 * @throws DomainError validation_failed for an invalid page, range or text
 */
export async function searchEvents(
  read: Read,
  account: string,
  search: EventSearch,
  page: { readonly limit: number; readonly cursor?: string | null | undefined },
): Promise<EventPage> {
  checkRange(search);
  const { type, subject, since, until } = search;
  const filter = JSON.stringify([type, subject, since, until].map((each) => each ?? null));
  const scope: CursorScope = { list: 'events', account, filter };
  const [cursor] = pageStart(read, scope, page) ?? [];
  const { from, before } = idRange('evt', search, cursor);
  const values = [account, before, from, page.limit + 1, type ?? null, subject ?? null];
  const rows = await read.sql<FoundRow>(searchStatement, values);
  const found = rows.filter(({ matches }) => matches);
  const events = found.slice(0, page.limit);
  const end = found.length > page.limit ? events.at(-1) : rows.find(({ last }) => last);
  return {
    events,
    nextCursor: end ? sealCursor(read.rules.cursorKeys, scope, [end.id]) : undefined,
  };
}
