import { recordChange } from '../audit/record-change.js';
import { emailIssues, mailboxOf, storedMailbox } from '../email.js';
import { entityOf } from '../entity-of.js';
import { type Issue, notFound, validationFailed } from '../errors.js';
import { isId, makeId } from '../id.js';
import { singleLineIssues } from '../text-issues.js';
import type { Read, Tx } from '../tx.js';
import { IsNull } from '../typeorm.js';
import { Account } from './account.entity.js';
import { Member } from './member.entity.js';
import { type Role, roles } from './permission.js';

/** The input of {@link createMember}. */
export interface MemberInput {
  readonly account: string;
  readonly email: string;
  readonly role: Role;
}

/**
 * Creates an account without members or credentials.
 * @throws DomainError validation_failed
 */
export async function createAccount(tx: Tx, { name }: { readonly name: string }): Promise<Account> {
  const issues = nameIssues(name);
  if (issues.length > 0) throw validationFailed(issues);

  const id = makeId('acc', tx.now);
  const account = entityOf(Account, {
    id,
    name,
    createdAt: tx.now,
    invoiceCount: 0,
    creditNoteCount: 0,
    sendsTraceparent: false,
    erasedAt: null,
  });
  await tx.manager.insert(Account, account);
  recordChange(tx, { action: 'account_created', account: id, resource: id });
  return account;
}

/** What turns the direction of the text around a name; single marks for names of right-to-left scripts are fine. */
const turnsText = /[\u202a-\u202e\u2066-\u2069]/;

function nameIssues(name: string): Issue[] {
  const issues = singleLineIssues('name', name, { min: 1, max: 200 });
  if (issues.length > 0 || !turnsText.test(name)) return issues;
  const detail = 'Must be one line without characters that turn the direction of text.';
  return [{ code: 'invalid_value', detail, param: 'name' }];
}

/**
 * Returns the account with this id, unless it is erased.
 * @throws DomainError not_found
 */
export async function getAccount(read: Read, id: string): Promise<Account> {
  const account = await findAccount(read, id);
  if (account.erasedAt !== null) throw notFound('account');
  return account;
}

/**
 * Returns the account with this id, also one that is erased.
 * @throws DomainError not_found
 */
export async function findAccount(read: Read, id: string): Promise<Account> {
  const account = isId('acc', id) ? await read.manager.findOneBy(Account, { id }) : null;
  if (account === null) throw notFound('account');
  return account;
}

/** Returns every account that is not erased, oldest first. */
export function listAccounts(read: Read): Promise<Account[]> {
  return read.manager.find(Account, { where: { erasedAt: IsNull() }, order: { id: 'ASC' } });
}

/**
 * Adds a person to an account; the role limits what the member's credentials may do.
 * @throws DomainError validation_failed, not_found
 */
export async function createMember(tx: Tx, input: MemberInput): Promise<Member> {
  const issues = [...personEmailIssues(input.email), ...roleIssues(input.role)];
  if (issues.length > 0) throw validationFailed(issues);

  return insertMember(tx, input, true);
}

/**
 * Adds the member that holds a credential which is issued without a person. It has no mailbox, and no list of
 * people shows it.
 * @throws DomainError validation_failed, not_found
 */
export async function createHolder(
  tx: Tx,
  { account, role }: Pick<MemberInput, 'account' | 'role'>,
): Promise<Member> {
  const issues = roleIssues(role);
  if (issues.length > 0) throw validationFailed(issues);

  const email = `${role}@${account.replace('_', '-').toLowerCase()}.invalid`;
  return insertMember(tx, { account, email, role }, false);
}

async function insertMember(
  tx: Tx,
  { account, email, role }: MemberInput,
  isPerson: boolean,
): Promise<Member> {
  const { id: accountId } = await getAccount(tx, account);
  const id = makeId('mem', tx.now);
  const member = entityOf(Member, {
    id,
    accountId,
    email,
    mailbox: storedMailbox(email),
    role,
    isPerson,
    signedInAt: null,
    createdAt: tx.now,
  });
  await tx.manager.insert(Member, member);

  const changes = [
    { field: 'email', to: email },
    { field: 'role', to: role },
  ];
  recordChange(tx, { action: 'member_created', account: accountId, resource: id, changes });
  return member;
}

/**
 * Changes a member's role, which limits all credentials of the member. The new limit holds in every
 * process within a second of the commit, in this one at once.
 * @throws DomainError validation_failed, not_found
 */
export async function changeRole(tx: Tx, account: string, id: string, role: Role): Promise<Member> {
  const issues = roleIssues(role);
  if (issues.length > 0) throw validationFailed(issues);
  const { role: from } = await getMember(tx, account, id);
  await tx.manager.update(Member, { id }, { role });
  tx.credentialsChanged();
  const changes = [{ field: 'role', from, to: role }];
  if (from !== role)
    recordChange(tx, { action: 'member_role_changed', account, resource: id, changes });
  return getMember(tx, account, id);
}

/**
 * Returns the account's member with this id.
 * @throws DomainError not_found
 */
export async function getMember(read: Read, account: string, id: string): Promise<Member> {
  const member =
    isId('mem', id) && isId('acc', account)
      ? await read.manager.findOneBy(Member, { id, accountId: account })
      : null;
  if (member === null) throw notFound('member');
  return member;
}

/**
 * Returns every member of an account, oldest first.
 * @throws DomainError not_found
 */
export async function listMembers(read: Read, account: string): Promise<Member[]> {
  const { id: accountId } = await getAccount(read, account);
  return read.manager.find(Member, { where: { accountId }, order: { id: 'ASC' } });
}

/** `.invalid` has no mailboxes (RFC 2606); the addresses of {@link createHolder} end with it. */
function personEmailIssues(email: string): Issue[] {
  const issues = emailIssues('email', email);
  if (issues.length > 0 || !mailboxOf(email).endsWith('.invalid')) return issues;
  const detail =
    'Must be the address of a person: no mail reaches a domain that ends with .invalid.';
  return [{ code: 'invalid_value', detail, param: 'email' }];
}

/** Validates the text of a role. */
export function roleIssues(role: string): Issue[] {
  if ((roles as readonly string[]).includes(role)) return [];
  const detail = `Must be one of: ${roles.join(', ')}.`;
  return [{ code: 'invalid_value', detail, param: 'role' }];
}
