import { columnsOf, numbered, placeholdersOf } from '../columns.js';
import { makeId } from '../id.js';
import type { Tx } from '../tx.js';
import type { AuditAction, FieldChange } from './audit-entry.entity.js';

/** A change to record. */
export interface ChangeRecord {
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
/** In UTF-16 units: a text of 200 characters fits, whichever they are. */
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

/** Reads the address of the member here, so that recording costs no round trip. */
const insertStatement = numbered(
  'audit_entry_insert',
  inserted,
  ($) => `
    insert into audit_entry (${columnsOf(inserted)}, member_email)
    values (${placeholdersOf(inserted, $)},
            (select m.email from member m where m.id = ${$['memberId']}))`,
);

/**
 * Records a change in the audit log, in the transaction of the change. It goes with the commit: no
 * further round trip. Without an actor, as in workers and on hosted pages, it records nothing.
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
