import type { ObjectLiteral } from 'typeorm';
import { type Issue, validationFailed } from '../errors.js';
import { textIssues } from '../text-issues.js';
import type { Read } from '../tx.js';
import {
  type EntryList,
  type FilterSql,
  filterSql,
  positionsWithin,
  readEntries,
  readMatching,
  readRange,
} from './entry-list.js';
import { clampPageSize, type NumberedPage, type NumberedRequest } from './numbered-page.js';
import { isOfBuyer, parseSaleFilter, paymentsOfBuyer, type SaleFilter } from './payments.js';

/** Filters a list of orders, refunds or invoices; all given conditions must hold. */
export interface EntryFilter extends SaleFilter {
  /** Of an invoice or a credit note, such as "INV-000001"; the case of ASCII letters does not matter. */
  readonly number?: string | null | undefined;
}

/** In SQL: the positions of the entries that belong to a row `s`. */
export interface EntriesOfSale {
  /** `s` is a payment, with `id` and `order_id`. */
  readonly ofPayment: string;
  /** `s` is an invoice or a credit note, with `position`, `order_id`, `payment_id` and `refund_id`. */
  readonly ofDocument: string;
}

/** A list that can be searched by buyer and by the number of an invoice or a credit note. */
export interface SearchableList<Entry, View = unknown> extends EntryList<Entry, View> {
  readonly byBuyer: FilterSql;
  readonly byNumber: FilterSql;
}

/**
 * Makes a list searchable. Orders and invoices hold the address of their buyer in JSON, and refunds hold
 * none: the payments of the buyer lead to all of them. So addresses are compared in one place.
 */
export function searchable<Entry, View>(
  list: EntryList<Entry, View>,
  { ofPayment, ofDocument }: EntriesOfSale,
): SearchableList<Entry, View> {
  // `offset 0` makes PostgreSQL look up the entries of one sale after the other.
  const byBuyer = `
    select e.position
      from (${paymentsOfBuyer('id, order_id', '$4')}) s
     cross join lateral (${ofPayment} offset 0) e
     where e.position between $2 and $3`;
  // The range and the order leave the planner no other index than that of the numbers.
  const byNumber = `
    select e.position
      from (select position, order_id, payment_id, refund_id from invoice
             where account_id = $1 and number between $4 and $4
             order by number limit 1) s
     cross join lateral (${ofDocument} offset 0) e
     where e.position between $2 and $3
       and ($5::text is null
            or exists (select from payment where id = s.payment_id and ${isOfBuyer('$5')}))`;
  return {
    ...list,
    byBuyer: filterSql(list.noun, 'buyer', byBuyer, 4),
    byNumber: filterSql(list.noun, 'number', byNumber, 5),
  };
}

/**
 * Returns a page of the account's entries that match the filter, newest first and as the account sees them.
 * @throws DomainError validation_failed
 */
export async function searchEntries<Entry extends ObjectLiteral, View>(
  read: Read,
  account: string,
  list: SearchableList<Entry, View>,
  requested: NumberedRequest,
  filter: EntryFilter,
): Promise<NumberedPage<View>> {
  const { data, pagination } = await findEntries(read, account, list, requested, filter);
  return { data: data.map(await list.viewFor(read)), pagination };
}

async function findEntries<Entry extends ObjectLiteral>(
  read: Read,
  account: string,
  list: SearchableList<Entry>,
  requested: NumberedRequest,
  filter: EntryFilter,
): Promise<NumberedPage<Entry>> {
  const { created, buyer, number } = parseFilter(filter);
  const request = clampPageSize(requested, list.maxPageSize);
  if (!created && buyer === null && number === null) {
    return readEntries(read, account, list, request);
  }

  const range = await positionsWithin(read, account, list, created);
  if (buyer === null && number === null) {
    return readRange(read, account, list, range, request);
  }

  const values = [account, range.first, range.last];
  return number === null
    ? readMatching(read, list, list.byBuyer, [...values, buyer], request)
    : readMatching(read, list, list.byNumber, [...values, number, buyer], request);
}

function parseFilter(filter: EntryFilter) {
  const { number = null } = filter;
  const issues: Issue[] = [];
  const sale = parseSaleFilter(filter, issues);
  if (number !== null) issues.push(...textIssues('number', number, { min: 1, max: 100 }));
  if (issues.length > 0) throw validationFailed(issues);
  return { ...sale, number: number?.replace(/[a-z]+/g, (text) => text.toUpperCase()) ?? null };
}
