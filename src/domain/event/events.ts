import { type Page, pageOf, type PageRequest, pageStart } from '../list/cursor-page.js';
import { oldestListedId, checkRange, idRange, type TimeRange } from '../list/time-range.js';
import { rowById } from '../transaction/rows.js';
import { purgeOf } from '../transaction/sql.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import { smallestId } from '../values/id.js';
import type { Event } from './event.entity.js';

/** An event of an account, without its bytes. */
export type EventSummary = Readonly<
  Pick<Event, 'id' | 'type' | 'version' | 'subject' | 'test' | 'occurredAt'>
>;

/** Which events to find; members that are absent or null filter nothing. */
interface EventSearch extends TimeRange {
  readonly type?: string | null | undefined;
  /** The whole subject, such as `order:ord_…`. */
  readonly subject?: string | null | undefined;
}

const columns = `e.id, e.type, e.version, e.subject, e.test, e.occurred_at as "occurredAt"`;

/** In SQL: an event has the id $1, belongs to the account $2 and is listed. */
const isOfAccount = `e.id between $1 and $1 and e.account_id || '' = $2 and e.id >= ${oldestListedId('evt')}`;

const getStatement: Statement = {
  name: 'event_get',
  text: `
    select ${columns} from event e where ${isOfAccount}`,
};

const bodyStatement: Statement = {
  name: 'event_body',
  text: `
    select convert_from(e.body, 'UTF8') as body from event e where ${isOfAccount}`,
};

/** One page looks at this many events at most. */
const readLimit = 10_000;

/**
 * In SQL: the events of the account in the range, and their order. Only the index of the account has
 * that order. The primary key has that of the ids alone, and would lead through all accounts.
 */
const inRange = (from: string) => `(e.account_id, e.id) < ($1, $2)
                 and (e.account_id, e.id) >= ($1, greatest($3, ${oldestListedId('evt')}${from}))`;
const newestFirst = 'order by e.account_id desc, e.id desc';

/** In SQL: whether a text is the wanted one. The index holds its hash, so that others are not read. */
const isText = (column: 'type' | 'subject', value: string) =>
  `and hashtext(e.${column}) = hashtext(${value}) and e.${column} = ${value}`;

const pageStatement: Statement = {
  name: 'event_page',
  text: `
    select null as bound, ${columns} from event e where ${inRange('')}
     ${newestFirst} limit $4`,
};

/**
 * Finds the last event that a page may look at, by the index alone, and then the events down to it
 * that match. PostgreSQL compares the hashes in the index too, and reads only events that have them.
 */
const searchStatement = (by: string, condition: string): Statement => ({
  name: `event_search_${by}`,
  text: `
    with bound as materialized (
      select e.id from event e where ${inRange('')}
       ${newestFirst} offset ${readLimit - 1} limit 1
    )
    select b.id as bound, matching.*
      from (select (select b.id from bound b) as id) b
      left join lateral (
        select ${columns} from event e where ${inRange(', b.id')} ${condition}
         ${newestFirst} limit $4) matching on true`,
});

const byType = searchStatement('type', isText('type', '$5::text'));
const bySubject = searchStatement('subject', isText('subject', '$5::text'));
const byBoth = searchStatement(
  'both',
  `${isText('type', '$5::text')} ${isText('subject', '$6::text')}`,
);

interface Bound {
  /** The last event that the page may look at; null when it looks at all. */
  readonly bound: string | null;
}
type FoundEvent = EventSummary & Bound;
type FoundRow = FoundEvent | (Bound & { readonly id: null });

/**
 * Returns one event of an account, of the last 30 days.
 * @throws DomainError not_found
 */
export function getEvent(read: Read, account: string, id: string): Promise<EventSummary> {
  return rowById<EventSummary>(read, 'evt', getStatement, [id, account]);
}

/**
 * Returns the bytes that every attempt sends, as text.
 * @throws DomainError not_found
 */
export async function getEventBody(read: Read, account: string, id: string): Promise<string> {
  return (await rowById<{ body: string }>(read, 'evt', bodyStatement, [id, account])).body;
}

/**
 * Lists an account's events of the last 30 days that a search finds, newest first. Looks at
 * 10,000 events at most for a page. A page with fewer than `limit` events has a cursor when more may follow.
 * @throws DomainError validation_failed for an invalid page, range or text
 */
export async function searchEvents(
  read: Read,
  account: string,
  search: EventSearch,
  page: PageRequest,
): Promise<Page<EventSummary>> {
  checkRange(search);
  const { type, subject, since, until } = search;
  const filter = JSON.stringify([type, subject, since, until].map((value) => value ?? null));
  const scope = { list: 'events', account, filter };
  const cursor = pageStart(read, scope, page);
  const { from, before } = idRange('evt', search, cursor);
  const texts = [type, subject].filter((text) => text != null);
  const statement = type != null ? (subject != null ? byBoth : byType) : bySubject;
  const values = [account, before, from, page.limit + 1, ...texts];
  const rows = await read.sql<FoundRow>(texts.length > 0 ? statement : pageStatement, values);
  const events = rows.filter((row): row is FoundEvent => row.id !== null);
  return pageOf(read, scope, page.limit, events, rows[0]?.bound);
}

/** Stands for the endpoint of a test event that only the stream shows; no endpoint has this id. */
export const streamOnly = 'stream';

/** Test events without an endpoint are kept for a day. */
const streamOnlyRetentionMs = 86_400_000;

const purgeStreamOnlyStatement: Statement = {
  name: 'event_stream_only_purge',
  text: `
    delete from event where id = any (array(
      select p.id from event p where p.endpoint_id = '${streamOnly}' and p.id < $1
       order by p.id limit $2 for update skip locked))
    returning id`,
};

/**
 * Deletes at most `limit` test events without an endpoint that are older than a day. Nothing refers to
 * them: they have no delivery.
 * @returns how many it deleted
 */
export async function purgeStreamOnlyEvents(tx: Tx, limit: number): Promise<number> {
  const before = smallestId('evt', new Date(tx.now.getTime() - streamOnlyRetentionMs));
  return (await tx.sql(purgeStreamOnlyStatement, [before, limit])).length;
}

/** Deletes keys of published events that have expired. */
export const purgePublishKeys = purgeOf('publish_key', 'expires_at');
