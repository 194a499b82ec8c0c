import { recordChange } from '../audit/record-change.js';
import { DomainError, notFound } from '../errors.js';
import type { Read, Statement, Tx } from '../tx.js';
import { changeRole, createMember, getAccount, getMember, type MemberInput } from './accounts.js';
import type { CredentialInput } from './credential-input.js';
import { createCredential, type IssuedCredential, revokeCredential } from './credentials.js';
import type { Member } from './member.entity.js';
import type { Role } from './permission.js';

/** The id of the member who administers an account; null for an operator, who may do everything. */
export type Administrator = string | null;

const maxListed = 200;

/** Owners who change each other at the same time queue here, so that one of them stays. */
const lockStatement: Statement = {
  name: 'account_lock_members',
  text: 'select from account where id = $1 for no key update',
};

/** Uses an index without the members that were made for one credential each. */
const peopleStatement: Statement = {
  name: 'member_people',
  text: `select id, account_id as "accountId", email, role, created_at as "createdAt" from member
          where account_id = $1 and is_person
          order by id limit ${maxListed}`,
};

const isKeyStatement: Statement = {
  name: 'credential_is_key',
  text: `select from credential where id = $1 and account_id = $2 and kind in ('live', 'legacy')`,
};

const removeStatement: Statement = {
  name: 'member_remove',
  text: `with keys as (delete from credential where member_id = $1)
         delete from member where id = $1`,
};

/** Says whether a role may give or take another one: only owners give and take that of an owner. */
function mayAssign(role: Role, roles: readonly Role[]): boolean {
  return role === 'owner' || (role === 'admin' && !roles.includes('owner'));
}

/**
 * Returns the people of an account, oldest first, at most 200: its members without those that were made
 * for one credential.
 */
export function listPeople(read: Read, account: string): Promise<Member[]> {
  return read.sql<Member>(peopleStatement, [account]);
}

/**
 * Adds a member.
 * @throws DomainError validation_failed, not_found; forbidden for a role that `by` may not give
 */
export async function addMember(tx: Tx, by: Administrator, input: MemberInput): Promise<Member> {
  await assertMayAssign(tx, by, input.account, [input.role]);
  return createMember(tx, input);
}

/**
 * Gives a member another role.
 * @throws DomainError validation_failed, not_found; forbidden for the own role, and for a role that `by`
 *   may not give or take
 */
export async function assignRole(
  tx: Tx,
  by: Administrator,
  account: string,
  id: string,
  role: Role,
): Promise<Member> {
  await assertMayChange(tx, by, account, id, [role]);
  return changeRole(tx, account, id, role);
}

/**
 * Removes a member with its sessions and the credentials that it holds.
 * @throws DomainError not_found; forbidden for themselves, and for a member whose role `by` may not take
 */
export async function removeMember(
  tx: Tx,
  by: Administrator,
  account: string,
  id: string,
): Promise<void> {
  const { email } = await assertMayChange(tx, by, account, id, []);
  await tx.sql(removeStatement, [id]);
  tx.credentialsChanged();
  const changes = [{ field: 'email', from: email }];
  recordChange(tx, { action: 'member_removed', account, resource: id, changes });
}

/**
 * Issues a credential. A member makes API keys only; each has a holder of its own, with the role of the
 * member, so that it outlives the membership.
 * @throws DomainError validation_failed, not_found, forbidden
 */
export async function issueCredential(
  tx: Tx,
  by: Administrator,
  input: CredentialInput,
): Promise<IssuedCredential> {
  if (by === null) return createCredential(tx, input);
  if (input.kind !== 'live' || input.member != null) {
    throw forbidden('Owners and admins create API keys of the kind live, without a holder.');
  }
  const { role } = await getMember(tx, input.account, by);
  return createCredential(tx, { ...input, role });
}

/**
 * Revokes a credential; a member revokes API keys of the own account only.
 * @param account the account that must own the credential; null for any
 * @throws DomainError not_found
 */
export async function endCredential(
  tx: Tx,
  by: Administrator,
  account: string | null,
  id: string,
): Promise<void> {
  if (by !== null && (await tx.sql(isKeyStatement, [id, account])).length === 0) {
    throw notFound('credential');
  }
  await revokeCredential(tx, account, id);
}

async function assertMayChange(
  tx: Tx,
  by: Administrator,
  account: string,
  id: string,
  roles: readonly Role[],
): Promise<Member> {
  if (by === id) throw forbidden('Another owner or admin must change your own membership.');
  const { role } = await getMember(tx, account, id);
  await assertMayAssign(tx, by, account, [role, ...roles]);
  // Again, because it may have changed before the lock.
  const member = await getMember(tx, account, id);
  if (member.role !== role) await assertMayAssign(tx, by, account, [member.role, ...roles]);
  return member;
}

async function assertMayAssign(
  tx: Tx,
  by: Administrator,
  account: string,
  roles: readonly Role[],
): Promise<void> {
  await getAccount(tx, account);
  if (by === null) return;
  await tx.sql(lockStatement, [account]);
  const { role } = await getMember(tx, account, by);
  if (!mayAssign(role, roles)) throw forbidden('Only owners give and take the role of an owner.');
}

function forbidden(detail: string): DomainError {
  return new DomainError('forbidden', detail, [{ code: 'permission_missing', detail }]);
}
