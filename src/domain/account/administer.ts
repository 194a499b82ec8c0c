// Decides who may add, change and remove members and issue credentials. An owner may do everything, an admin everything
// that concerns no owner, an operator everything in every account. Members do not change their own membership, so the
// last owner stays until an operator acts.
import { recordChange } from '../audit/audit-log.js';
import { DomainError, notFound } from '../errors.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import type { Member } from './account.entity.js';
import { changeRole, createMember, getAccount, getMember, type MemberInput } from './accounts.js';
import {
  type CredentialInput,
  createCredential,
  type IssuedCredential,
  revokeCredential,
} from './credentials.js';
import type { Role } from './permission.js';

/** The id of the member who administers the account; null for an operator, who may do everything. */
type Administrator = string | null;

const maxListed = 200;

/** Two owners who demote each other at the same time wait here, so that one owner remains. */
const lockStatement: Statement = {
  name: 'account_lock_members',
  text: 'select from account where id = $1 for no key update',
};

/** The index `member_people` leaves out the holders of credentials. */
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

/** Whether someone with this role may assign or revoke the other roles. Only owners make and unmake owners. */
function mayAssign(role: Role, roles: readonly Role[]): boolean {
  return role === 'owner' || (role === 'admin' && !roles.includes('owner'));
}

/** Returns the people of an account, oldest first, at most 200. Holders of credentials are not among them. */
export function listPeople(read: Read, account: string): Promise<Member[]> {
  return read.sql<Member>(peopleStatement, [account]);
}

/**
 * Adds a member.
 * @throws DomainError validation_failed, not_found; forbidden for a role that `by` may not assign
 */
export async function addMember(tx: Tx, by: Administrator, input: MemberInput): Promise<Member> {
  await assertMayAssign(tx, by, input.account, [input.role]);
  return createMember(tx, input);
}

/**
 * Gives a member another role.
 * @throws DomainError validation_failed, not_found; forbidden for the member's own role, and for a role that `by`
 *   may not assign or revoke
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
 * Removes a member with all sessions and credentials of the member.
 * @throws DomainError not_found; forbidden for the own membership, and for a member whose role `by` may not revoke
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
 * Issues a credential. A member can issue API keys only. Each gets its own holder with the role of the member, so
 * that the key outlives the membership.
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
 * Revokes a credential. A member can revoke only API keys of the account.
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
  // The role may have changed before this transaction had the lock.
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
  if (!mayAssign(role, roles)) throw forbidden('Only owners can assign or revoke the owner role.');
}

function forbidden(detail: string): DomainError {
  return new DomainError('forbidden', detail, [{ code: 'permission_missing', detail }]);
}
