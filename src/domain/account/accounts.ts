// Accounts and their members.
//
// An account is a seller, and every other row belongs to one: functions of the domain take its id and find
// nothing of another account. A member is a person of an account. A credential that is issued without a person
// gets a holder, which is a member that no list of people shows. The role of a member limits each of its
// credentials and sessions (permission.ts).
//
// These functions check inputs; administer.ts decides who may change whom. Each change and its audit entry are
// one transaction, so a crash leaves both or neither. The row of an erased account stays, because books refer to
// it: only `findAccount` returns it.
import { recordChange } from '../audit/audit-log.js';
import { type Issue, notFound, validationFailed } from '../errors.js';
import { type Page, pageOf, type PageRequest, pageStart } from '../list/cursor-page.js';
import { singleRow } from '../transaction/rows.js';
import type { Read, Tx, Statement } from '../transaction/tx.js';
import { entityOf, IsNull } from '../transaction/typeorm.js';
import { emailIssues, mailboxOf, storedMailbox } from '../values/email.js';
import { isId, makeId } from '../values/id.js';
import { singleLineIssues, textIssues } from '../values/text.js';
import { Account, Member } from './account.entity.js';
import { type Role, roles } from './permission.js';

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
    hasFilters: null,
    erasedAt: null,
  });

  await tx.manager.insert(Account, account);
  recordChange(tx, { action: 'account_created', account: id, resource: id });

  return account;
}

/** Characters that change the direction of the text around a name. Marks of right-to-left names are fine. */
const changesDirection = /[\u202a-\u202e\u2066-\u2069]/;

function nameIssues(name: string): Issue[] {
  const issues = singleLineIssues('name', name, { min: 1, max: 200 });
  if (issues.length > 0 || !changesDirection.test(name)) return issues;
  const detail = 'Must be one line without bidirectional control characters.';
  return [{ code: 'invalid_value', detail, param: 'name' }];
}

const setStatement: Statement = {
  name: 'account_set_sends_traceparent',
  text: `update account set sends_traceparent = $2 where id = $1 and sends_traceparent <> $2 returning id`,
};

/**
 * Sets whether receivers of the account get the trace of an event as `traceparent` (W3C Trace
 * Context §3.2). Deliveries that workers have already claimed follow the earlier setting.
 * @throws DomainError not_found
 */
export async function setSendsTraceparent(
  tx: Tx,
  account: string,
  sends: boolean,
): Promise<Account> {
  await getAccount(tx, account);
  if ((await tx.sql(setStatement, [account, sends])).length > 0) {
    const changes = [{ field: 'sends_traceparent', from: String(!sends), to: String(sends) }];
    recordChange(tx, { action: 'account_updated', account, resource: account, changes });
  }
  return getAccount(tx, account);
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
 * Returns the account with this id, erased or not.
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

/** An account in a list. */
export type ListedAccount = Pick<Account, 'id' | 'name' | 'sendsTraceparent' | 'createdAt'>;

const listedColumns =
  'a.id, a.name, a.sends_traceparent as "sendsTraceparent", a.created_at as "createdAt"';

const newestStatement: Statement = {
  name: 'account_newest',
  text: `
    select ${listedColumns} from account a
     where a.id < $1 and a.erased_at is null order by a.id desc limit $2`,
};

const byIdStatement: Statement = {
  name: 'account_by_id',
  text: `select ${listedColumns} from account a where a.id = $1 and a.erased_at is null`,
};

/** Only the index `account_by_name` is sorted by name and id. No character is above U+10FFFF. */
const byNameStatement: Statement = {
  name: 'account_by_name',
  text: `
    select f.* from (
      select coalesce((select lower(p.name) collate "C" from account p where p.id = $2),
                      lower($1::text) collate "C") as name) s
     cross join lateral (
       select ${listedColumns} from account a
        where (lower(a.name) collate "C", a.id) > (s.name, $2)
          and lower(a.name) collate "C" < (lower($1::text) || chr(1114111)) collate "C"
          and a.erased_at is null
        order by lower(a.name) collate "C", a.id limit $3) f`,
};

const greaterThanAnyId = 'acc~';

/**
 * Searches the accounts that are not erased. An id finds its account, other text the accounts whose names begin
 * with it, sorted by name. Empty text lists all accounts, newest first. The locale of the database decides which
 * letters differ only in case.
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

/**
 * How much an account has, for operators. Counts stop at {@link countLimit}, those of deliveries at
 * {@link pendingLimit}.
 */
export interface AccountTotals {
  /** Members who are people; holders of credentials do not count. */
  readonly members: number;
  /** API keys that are not revoked. */
  readonly apiKeys: number;
  /** Endpoints that are not deleted. */
  readonly endpoints: number;
  /** Pending deliveries of these endpoints, without dead letters. */
  readonly pending: number;
  /** False if there are more than the limit. */
  readonly pendingIsComplete: boolean;
  /** Since when the service refuses its events, because it has too many pending deliveries. */
  readonly fullSince: Date | null;
  /** Deliveries at the latest count that found the account full; null unless it is full. */
  readonly fullDeliveries: number | null;
  /** Bytes of these deliveries at that count. */
  readonly fullBytes: number | null;
}

const countLimit = 1_000;
const pendingLimit = 10_000;

/** The inner limits keep the join lateral: the planner could hash the whole table. */
const totalsStatement: Statement = {
  name: 'account_totals',
  text: `
    select (select count(*)::int from (
              select from member m where m.account_id = $1 and m.is_person
               limit ${countLimit}) m) as members,
           (select count(*)::int from (
              select from credential c
               where c.account_id = $1 and c.kind in ('live', 'legacy') and c.revoked_at is null
               limit ${countLimit}) c) as "apiKeys",
           (select count(*)::int from (
              select from endpoint e where e.account_id = $1 and e.deleted_at is null
               limit ${countLimit}) e) as endpoints,
           (select count(*)::int from (
              select from (
                select e.id from endpoint e where e.account_id = $1 and e.deleted_at is null
                 limit ${countLimit}) e
               cross join lateral (
                select from pending_delivery c
                 where c.endpoint_id = e.id and c.dead_letter_reason is null
                 limit ${pendingLimit + 1}) c
               limit ${pendingLimit + 1}) p) as pending,
           f.since as "fullSince", f.pending::float8 as "fullDeliveries",
           f.pending_bytes::float8 as "fullBytes"
      from (select) one left join full_account f on f.account_id = $1`,
};

/**
 * Counts what an account has, in one statement of bounded cost.
 * @throws DomainError not_found
 */
export async function readAccountTotals(read: Read, account: string): Promise<AccountTotals> {
  const { id } = await getAccount(read, account);
  type Row = Omit<AccountTotals, 'pendingIsComplete'>;
  const row = await singleRow<Row>(read, totalsStatement, [id]);
  return {
    ...row,
    pending: Math.min(row.pending, pendingLimit),
    pendingIsComplete: row.pending <= pendingLimit,
  };
}

/** The input of {@link createMember}. */
export interface MemberInput {
  readonly account: string;
  readonly email: string;
  readonly role: Role;
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
 * Adds the member that holds a credential issued without a person. Its address reaches nobody, and no list of
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

/** Nobody has a mailbox in `.invalid` (RFC 2606). The addresses of {@link createHolder} end with it. */
function personEmailIssues(email: string): Issue[] {
  const issues = emailIssues('email', email);
  if (issues.length > 0 || !mailboxOf(email).endsWith('.invalid')) return issues;
  const detail =
    'Must be an address that can receive mail, so the domain must not end with .invalid.';
  return [{ code: 'invalid_value', detail, param: 'email' }];
}

/** Validates a role. */
export function roleIssues(role: string): Issue[] {
  if ((roles as readonly string[]).includes(role)) return [];
  const detail = `Must be one of: ${roles.join(', ')}.`;
  return [{ code: 'invalid_value', detail, param: 'role' }];
}
