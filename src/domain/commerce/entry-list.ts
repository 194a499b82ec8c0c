// Lists that are read by page number: offers, and the entries of a ledger (ledger.ts).
//
// The entries of one kind have the positions 1, 2, 3, … without gaps, and a later entry is never older. So
// a page is a range of positions, a range of time is one too, and the last page costs no more than the first
// (ADR 0014). Only a filter that no range expresses is counted, by an index that holds the matches.
import type { ObjectLiteral } from 'typeorm';
import { type Issue, notFound, validationFailed } from '../errors.js';
import type { Read, Statement } from '../transaction/tx.js';
import { type IdPrefix, isId } from '../values/id.js';
import type { DateRange } from './date-range.js';

/** The page of a list that a client requests, by its number. */
export interface NumberedRequest {
  /** At least 1; a number beyond the last page means the last page. */
  readonly page: number;
  /** At least 1; a size above the list's maximum means that maximum. */
  readonly perPage: number;
}

/** The place of a page in its list. */
export interface Pagination {
  /** At least 1. */
  readonly totalPages: number;
  readonly currentPage: number;
  readonly perPage: number;
  readonly totalCount: number;
}

/** One page of a list that is read by page number. */
export interface NumberedPage<Item> {
  readonly data: readonly Item[];
  readonly pagination: Pagination;
}

/** Describes the list of one kind of an account's entries, newest first. */
export interface EntryList<Entry, View = unknown> {
  readonly entity: new () => Entry;
  readonly prefix: IdPrefix;
  /** Names one entry in errors. */
  readonly noun: string;
  /** Returns how to show entries as their account sees them. */
  readonly viewFor: (read: Read) => ViewOf<Entry, View> | Promise<ViewOf<Entry, View>>;
  /** At most this many entries in one page. */
  readonly maxPageSize: number;
  /** Returns the position of the account's last entry; 0 for none. */
  readonly lastPosition: Statement;
  /** Returns the positions of the account's entries made within a range of time. */
  readonly span: Statement;
}

type ViewOf<Entry, View> = (entry: Entry) => View;

/** The statements of a filter that no range of positions can express. */
export interface FilterSql {
  readonly count: Statement;
  readonly page: Statement;
}

/** Consecutive positions; `last` is less than `first` when there are none. */
interface PositionRange {
  readonly first: number;
  readonly last: number;
}

/** Makes the description of a list. `noun` is also the name of its table. */
export function entryList<Entry extends ObjectLiteral, View>(
  entity: new () => Entry,
  prefix: IdPrefix,
  noun: string,
  viewFor: EntryList<Entry, View>['viewFor'],
  maxPageSize = 25,
): EntryList<Entry, View> {
  const lastPosition = {
    name: `ledger-end-${noun}`,
    // Not max(), for which the planner may read every entry of the account.
    text: `select coalesce((select position from "${noun}" where account_id = $1
                             order by position desc limit 1), 0) as last`,
  };

  // A later entry is never older (ledger.ts).
  const span = {
    name: `ledger-span-${noun}`,
    text: `
      select coalesce((select position from "${noun}" where account_id = $1 and created_at >= $2
                        order by created_at, position limit 1), 2147483647) as first,
             coalesce((select position from "${noun}" where account_id = $1 and created_at <= $3
                        order by created_at desc, position desc limit 1), 0) as last`,
  };
  return { entity, prefix, noun, viewFor, maxPageSize, lastPosition, span };
}

/**
 * Makes the statements of a filter.
 * @param noun the table of the entries
 * @param matching selects the positions that match; $1 is the account
 * @param values how many values `matching` has; those of the page follow
 */
export function filterSql(noun: string, name: string, matching: string, values: number): FilterSql {
  return {
    count: { name: `${noun}-${name}-count`, text: `select count(*) as count from (${matching}) m` },
    page: {
      name: `${noun}-${name}-page`,
      // Materialized, or the planner would see the limit and search the whole list for matches. The range and
      // the order leave it no other index than that of the positions, also while the table seems empty.
      text: `with matches as materialized (${matching}), page as (
               select position from matches
                order by position desc offset $${values + 1} limit $${values + 2})
             select e.id
               from page p cross join lateral (
                 select id from "${noun}"
                  where account_id = $1 and position between p.position and p.position
                  order by position limit 1) e`,
    },
  };
}

/**
 * Returns one page of all the account's entries, newest first and as the account sees them.
 * @throws DomainError validation_failed for a page or a size below 1
 */
export async function listEntries<Entry extends ObjectLiteral, View>(
  read: Read,
  account: string,
  list: EntryList<Entry, View>,
  request: NumberedRequest,
): Promise<NumberedPage<View>> {
  const { data, pagination } = await readEntries(read, account, list, request);
  return { data: data.map(await list.viewFor(read)), pagination };
}

/**
 * Returns the account's entry with this id, as the account sees it.
 * @throws DomainError not_found
 */
export async function getEntry<Entry extends ObjectLiteral, View>(
  read: Read,
  account: string,
  { entity, prefix, noun, viewFor }: EntryList<Entry, View>,
  id: string,
): Promise<View> {
  const entry = isId(prefix, id)
    ? await read.manager
        .createQueryBuilder(entity, 'entry')
        .where('entry.id = :id', { id })
        .getOne()
    : null;
  // The statement does not compare the account, or the planner might search all entries of the account.
  if (entry?.['accountId'] !== account) throw notFound(noun);
  return (await viewFor(read))(entry);
}

/**
 * Reads one page of all the account's entries, with two statements whose cost does not depend on the page.
 * @throws DomainError validation_failed for a page or a size below 1
 */
export async function readEntries<Entry extends ObjectLiteral>(
  read: Read,
  account: string,
  list: EntryList<Entry>,
  requested: NumberedRequest,
): Promise<NumberedPage<Entry>> {
  const request = clampPageSize(requested, list.maxPageSize);
  const [row] = await read.sql<{ last: number }>(list.lastPosition, [account]);
  return readRange(read, account, list, { first: 1, last: row?.last ?? 0 }, request);
}

/** Reads one page of the entries whose positions lie in the range. */
export async function readRange<Entry extends ObjectLiteral>(
  read: Read,
  account: string,
  list: EntryList<Entry>,
  { first, last }: PositionRange,
  request: NumberedRequest,
): Promise<NumberedPage<Entry>> {
  const pagination = paginationOf(request, Math.max(0, last - first + 1));
  if (pagination.totalCount === 0) return { data: [], pagination };
  const highest = last - offsetOf(pagination);
  const lowest = Math.max(first, highest - pagination.perPage + 1);
  const data = await newestFirst(read, account, list)
    .andWhere('entry.position between :lowest and :highest', { lowest, highest })
    .getMany();
  return { data, pagination };
}

/** Returns the positions of the entries made within the range; of all for no range. */
export async function positionsWithin<Entry extends ObjectLiteral>(
  read: Read,
  account: string,
  { span }: EntryList<Entry>,
  created: DateRange | undefined,
): Promise<PositionRange> {
  const [range] = await read.sql<PositionRange>(span, [account, ...sqlBounds(created)]);
  return range ?? { first: 1, last: 0 };
}

/** Returns the ends of a range as PostgreSQL reads them; a missing end is infinite. */
export function sqlBounds(range: DateRange | undefined): [Date | string, Date | string] {
  return [range?.from ?? '-infinity', range?.to ?? 'infinity'];
}

/**
 * Reads one page of the entries that match a filter.
 * @param values of the filter, as its statements number them
 */
export async function readMatching<Entry extends ObjectLiteral>(
  read: Read,
  list: EntryList<Entry>,
  { count, page }: FilterSql,
  values: readonly unknown[],
  request: NumberedRequest,
): Promise<NumberedPage<Entry>> {
  const [row] = await read.sql<{ count: number }>(count, [...values]);
  const pagination = paginationOf(request, row?.count ?? 0);
  const { perPage } = pagination;
  const rows = await read.sql<{ id: string }>(page, [...values, offsetOf(pagination), perPage]);
  const ids = rows.map(({ id }) => id);
  return { data: await readByIds(read, list, ids), pagination };
}

/** Reads the entries with these ids, newest first. */
async function readByIds<Entry extends ObjectLiteral>(
  { manager }: Read,
  { entity }: EntryList<Entry>,
  ids: readonly string[],
): Promise<Entry[]> {
  if (ids.length === 0) return [];
  return manager
    .createQueryBuilder(entity, 'entry')
    .where('entry.id = any(:ids)', { ids })
    .orderBy('entry.position', 'DESC')
    .getMany();
}

function newestFirst<Entry extends ObjectLiteral>(
  { manager }: Read,
  account: string,
  { entity }: Pick<EntryList<Entry>, 'entity'>,
) {
  return manager
    .createQueryBuilder(entity, 'entry')
    .where('entry.accountId = :account', { account })
    .orderBy('entry.position', 'DESC');
}

/**
 * Limits the page size to that of the list.
 * @param maxPageSize at most this many items in a page of this list
 * @throws DomainError validation_failed for a page or a size that is not an integer of at least 1
 */
export function clampPageSize(request: NumberedRequest, maxPageSize: number): NumberedRequest {
  const issues = [
    ...countIssues('page', request.page),
    ...countIssues('per_page', request.perPage),
  ];
  if (issues.length > 0) throw validationFailed(issues);
  return { page: request.page, perPage: Math.min(request.perPage, maxPageSize) };
}

/** Returns the requested page, or the last one if the list is shorter; an empty list has one page. */
export function paginationOf({ page, perPage }: NumberedRequest, totalCount: number): Pagination {
  const totalPages = Math.max(1, Math.ceil(totalCount / perPage));
  return { totalPages, currentPage: Math.min(page, totalPages), perPage, totalCount };
}

/** Returns how many items of the list precede the page. */
export function offsetOf({ currentPage, perPage }: Pagination): number {
  return (currentPage - 1) * perPage;
}

function countIssues(param: string, count: number): Issue[] {
  if (Number.isSafeInteger(count) && count >= 1) return [];
  return [{ code: 'out_of_range', detail: 'Must be an integer of at least 1.', param }];
}
