import { selectionOf } from '../columns.js';
import type { CursorScope } from '../cursor.js';
import { type Page, pageOf, type PageRequest, pageStart } from '../cursor-page.js';
import { checkRange, idRange, type TimeRange } from '../time-range.js';
import type { Read, Statement } from '../tx.js';
import type { AuditAction, AuditEntry } from './audit-entry.entity.js';

/** Which entries to find; members that are absent or null filter nothing. */
export interface AuditFilter extends TimeRange {
  /** The id of the member who made the change. */
  readonly member?: string | null | undefined;
  readonly action?: AuditAction | null | undefined;
  /** The id of what was changed. */
  readonly resource?: string | null | undefined;
  /** A field that the change gave another value. */
  readonly field?: string | null | undefined;
}

/** An entry as the log shows it. */
export type AuditEntryView = Omit<AuditEntry, 'accountId'>;

const columns = selectionOf([
  'id',
  'action',
  'resourceId',
  'actorKind',
  'credentialId',
  'memberId',
  'memberEmail',
  'address',
  'userAgent',
  'changes',
  'createdAt',
]);

/** One page reads at most this many entries. */
const maxRead = 5_000;

/**
 * Returns at least one row, which says how far was read; null: to the end. Rows are compared as a
 * whole (ADR 0041), so that the planner walks no index of all accounts.
 */
const listStatement: Statement = {
  name: 'audit_entry_list',
  text: `
    select b.read_to as "readTo", f.*
      from (select (select e.id from audit_entry e
                     where (e.account_id, e.id) < ($1, $2) and (e.account_id, e.id) >= ($1, $3)
                     order by e.account_id desc, e.id desc offset ${maxRead - 1} limit 1) as read_to) b
      left join lateral (
        select ${columns} from audit_entry e
         where (e.account_id, e.id) < ($1, $2)
           and (e.account_id, e.id) >= ($1, coalesce(b.read_to, $3))
           and ($4::text is null or e.member_id = $4)
           and ($5::text is null or e.action = $5)
           and ($6::text is null or e.resource_id = $6)
           and ($8::text is null
                or e.changes @> jsonb_build_array(jsonb_build_object('field', $8::text)))
         order by e.account_id desc, e.id desc limit $7) f on true`,
};

/** A row without an entry says only how far was read. */
type Row = { readonly readTo: string | null } & (AuditEntryView | { readonly id: null });

/**
 * Lists the changes of an account, newest first. Reads at most 5,000 entries for a page: a page with
 * fewer than `limit` entries has a cursor when more may follow.
 * @throws DomainError validation_failed for an invalid page or range
 */
export async function listAuditLog(
  read: Read,
  account: string,
  filter: AuditFilter,
  page: PageRequest,
): Promise<Page<AuditEntryView>> {
  checkRange(filter);
  const { member = null, action = null, resource = null, field = null, since, until } = filter;
  const scope: CursorScope = {
    list: 'audit_log',
    account,
    filter: JSON.stringify([
      member,
      action,
      resource,
      since ?? null,
      until ?? null,
      // Without it as before, so that cursors of an older version go on.
      ...(field === null ? [] : [field]),
    ]),
  };
  const cursor = pageStart(read, scope, page);
  const { from, before } = idRange('aud', filter, cursor);
  const { limit } = page;
  const rows = await read.sql<Row>(listStatement, [
    account,
    before,
    from,
    member,
    action,
    resource,
    limit + 1,
    field,
  ]);
  const found = rows.filter((row): row is Row & AuditEntryView => row.id !== null);
  return pageOf(read, scope, limit, found, rows[0]?.readTo);
}
