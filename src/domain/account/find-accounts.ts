import { type Page, pageOf, type PageRequest, pageStart } from '../cursor-page.js';
import { isId } from '../id.js';
import { textIssues } from '../text-issues.js';
import { validationFailed } from '../errors.js';
import type { Read, Statement } from '../tx.js';
import type { Account } from './account.entity.js';

/** An account as lists show it. */
export type ListedAccount = Pick<Account, 'id' | 'name' | 'sendsTraceparent' | 'createdAt'>;

const columns =
  'a.id, a.name, a.sends_traceparent as "sendsTraceparent", a.created_at as "createdAt"';

const newestStatement: Statement = {
  name: 'account_newest',
  text: `
    select ${columns} from account a
     where a.id < $1 and a.erased_at is null order by a.id desc limit $2`,
};

const byIdStatement: Statement = {
  name: 'account_by_id',
  text: `select ${columns} from account a where a.id = $1 and a.erased_at is null`,
};

/** Only `account_by_name` has the order of name and id. No text of UTF-8 is above U+10FFFF. */
const byNameStatement: Statement = {
  name: 'account_by_name',
  text: `
    select f.* from (
      select coalesce((select lower(p.name) collate "C" from account p where p.id = $2),
                      lower($1::text) collate "C") as name) s
     cross join lateral (
       select ${columns} from account a
        where (lower(a.name) collate "C", a.id) > (s.name, $2)
          and lower(a.name) collate "C" < (lower($1::text) || chr(1114111)) collate "C"
          and a.erased_at is null
        order by lower(a.name) collate "C", a.id limit $3) f`,
};

const greaterThanAnyId = 'acc~';

/**
 * Lists accounts that are not erased: without a text newest first; by id the one; else those whose names
 * begin with the text, by name. The locale of the database says which letters differ only in case.
 * @throws DomainError validation_failed for an invalid page or text
 */
export async function findAccounts(
  read: Read,
  search: string,
  request: PageRequest,
): Promise<Page<ListedAccount>> {
  const issues = textIssues('search', search, { min: 0, max: 200 });
  if (issues.length > 0) throw validationFailed(issues);
  const scope = { list: 'accounts', account: '', filter: search };
  const last = pageStart(read, scope, request);
  const rows = await rowsOf(read, search.trim(), last, request.limit + 1);
  return pageOf(read, scope, request.limit, rows);
}

function rowsOf(
  read: Read,
  search: string,
  last: string | undefined,
  limit: number,
): Promise<ListedAccount[]> {
  if (search === '') return read.sql(newestStatement, [last ?? greaterThanAnyId, limit]);
  if (isId('acc', search)) return read.sql(byIdStatement, [search]);
  return read.sql(byNameStatement, [search, last ?? '', limit]);
}
