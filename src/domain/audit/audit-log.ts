// The audit log: who changed what, in which account, from where.
//
// An entry is written in the transaction of its change, together with the commit: neither exists without the
// other, and recording costs no round trip. A trigger rejects updates of entries, and deletes without
// `allowAuditDeletes`. Entries are kept for a year.
import {
  type CursorScope,
  type Page,
  pageOf,
  type PageRequest,
  pageStart,
} from '../list/cursor-page.js';
import { checkRange, idRange, type TimeRange } from '../list/time-range.js';
import { selectionOf, columnsOf, numbered, placeholdersOf } from '../transaction/sql.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import { makeId, smallestId } from '../values/id.js';
import type { AuditAction, AuditEntry, FieldChange } from './audit-entry.entity.js';

/** A change to record. */
interface ChangeRecord {
  readonly action: AuditAction;
  /** The account that the change belongs to. Defaults to that of the actor. */
  readonly account?: string;
  /** The id of what was changed. */
  readonly resource?: string;
  readonly changes?: readonly FieldChange[];
  /** Who signs in or out. Defaults to the member of the actor. */
  readonly by?: { readonly member: string | null; readonly credential: string };
}

const maxResourceLength = 200;
/** In UTF-16 code units: a text of any 200 characters fits. */
const maxValueLength = 400;

const inserted = [
  'id',
  'accountId',
  'action',
  'resourceId',
  'actorKind',
  'credentialId',
  'memberId',
  'address',
  'userAgent',
  'changes',
  'createdAt',
] as const;

/** The statement itself reads the address of the member, which saves a round trip. */
const insertStatement = numbered(
  'audit_entry_insert',
  inserted,
  ($) => `
    insert into audit_entry (${columnsOf(inserted)}, member_email)
    values (${placeholdersOf(inserted, $)},
            (select m.email from member m where m.id = ${$['memberId']}))`,
);

/**
 * Records a change in the audit log, together with the commit of its transaction. Records nothing without an
 * actor, as in workers and on hosted pages.
 */
export function recordChange(
  tx: Pick<Tx, 'actor' | 'now' | 'commitWith'>,
  { action, account, resource, changes = [], by }: ChangeRecord,
): void {
  const { actor } = tx;
  const accountId = account ?? actor?.account;
  if (!actor || accountId == null) return;

  const values = insertStatement.values({
    id: makeId('aud', tx.now),
    accountId,
    action,
    createdAt: tx.now,
    resourceId: resource?.slice(0, maxResourceLength) ?? null,
    actorKind: actor.kind,
    credentialId: by?.credential ?? actor.credential,
    memberId: by?.member ?? actor.member,
    address: actor.address,
    userAgent: actor.userAgent,
    changes: JSON.stringify(changes.map(cutValues)),
  });
  tx.commitWith({ statement: insertStatement, values });
}

function cutValues({ field, from, to }: FieldChange): FieldChange {
  return {
    field,
    ...(from !== undefined && { from: cut(from) }),
    ...(to !== undefined && { to: cut(to) }),
  };
}

function cut(value: string | null): string | null {
  if (value === null || value.length <= maxValueLength) return value;
  return `${Array.from(value.slice(0, maxValueLength)).slice(0, -1).join('')}…`;
}

/** Which entries to find. Absent and null members do not filter. */
interface AuditFilter extends TimeRange {
  /** The id of the member who made the change. */
  readonly member?: string | null | undefined;
  readonly action?: AuditAction | null | undefined;
  /** The id of what was changed. */
  readonly resource?: string | null | undefined;
  /** The name of a changed field. */
  readonly field?: string | null | undefined;
}

/** An entry as clients see it. */
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
 * Returns at least one row, which says how far it read; null means to the end. It compares row values (ADR 0041),
 * so that the planner does not walk an index of all accounts.
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

/** A row without an entry says only how far the statement read. */
type Row = { readonly readTo: string | null } & (AuditEntryView | { readonly id: null });

/**
 * Lists the changes of an account, newest first. Reads at most 5,000 entries for a page: if a page has fewer than
 * `limit` entries and a cursor, more may follow.
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
      // Without a field the filter is that of older versions, so their cursors stay valid.
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

  const entries = rows.filter((row): row is Row & AuditEntryView => row.id !== null);
  return pageOf(read, scope, limit, entries, rows[0]?.readTo);
}

const retentionMs = 366 * 86_400_000;

/** In SQL: true, and allows the transaction to delete audit entries. Otherwise a trigger rejects that. */
export const allowAuditDeletes = `(select set_config('signalpost.audit_deletes', 'on', true)) = 'on'`;

const purgeStatement: Statement = {
  name: 'audit_entry_purge',
  text: `
    delete from audit_entry
     where ${allowAuditDeletes} and id = any (array(
       select p.id from audit_entry p where p.id < $1 order by p.id limit $2
          for update skip locked))
    returning id`,
};

/**
 * Deletes at most `limit` audit entries older than a year.
 * @returns how many it deleted
 */
export async function purgeAuditEntries(tx: Tx, limit: number): Promise<number> {
  const before = smallestId('aud', new Date(tx.now.getTime() - retentionMs));
  return (await tx.sql(purgeStatement, [before, limit])).length;
}
