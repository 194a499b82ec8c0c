// Credentials: the bearer tokens of API keys, dashboards and operators.
//
// A token is shown once; the database keeps only its hash. A request finds its viewer by the hash, in one
// statement or in what its process remembers of an earlier look-up. Triggers notify `credentialChannel` when a
// credential or a role changes, and every process then forgets what it remembers. So a revoked credential or a
// lowered role works for at most another second.
//
// The viewer may do what both the credential and the role of its holder allow. Issuing, revoking and the audit
// entry are one transaction. The time of the last use is recorded outside of it and may get lost.
import { recordChange } from '../audit/audit-log.js';
import { notFound, validationFailed, type Issue } from '../errors.js';
import { purgeBy, selectionOf } from '../transaction/sql.js';
import type { Read, Tx, Statement } from '../transaction/tx.js';
import { isId, makeId } from '../values/id.js';
import { Credential } from './account.entity.js';
import { createHolder, getAccount, getMember, roleIssues } from './accounts.js';
import {
  effectivePermissions,
  keyPermissions,
  type Permissions,
  type Role,
  type StoredLevels,
  type Area,
  type KeyLevel,
  keyLevels,
  type Level,
  levels,
} from './permission.js';
import {
  type CredentialKind,
  hashToken,
  makeToken,
  refusalByFormat,
  credentialKinds,
} from './token.js';

/** The caller of a request. */
export interface Viewer {
  /** The credential's id. */
  readonly credential: string;
  readonly kind: CredentialKind;
  readonly account: string;
  /** The id of the member who holds the credential; null in a portal session that acts for a role. */
  readonly member: string | null;
  /** In each area, the lower of the credential's level and its holder's role. */
  readonly permissions: Permissions;
}

/** Whether the caller is a portal session, which acts for a customer in a page of another site. */
export function isPortalSession({ credential }: Pick<Viewer, 'credential'>): boolean {
  return isId('pse', credential);
}

/** The viewer of a valid token. */
export interface Authenticated {
  readonly viewer: Viewer;
  /** Milliseconds from the look-up to the token's expiry; Infinity if it does not expire. */
  readonly validForMs: number;
}

/** Why the service rejects a token; these are public codes. */
export type AuthFailure =
  | 'invalid_credential'
  | 'expired_credential'
  | 'revoked_credential'
  | 'credential_kind_not_accepted';

/** Why a request has no viewer: its credential is rejected or missing. */
export type CredentialError = AuthFailure | 'missing_credential';

/**
 * Explains the error to the client.
 * @param accepted the sentence for a credential of the wrong kind, which says what the operation accepts
 */
export function credentialDetail(error: CredentialError, accepted: string): string {
  switch (error) {
    case 'missing_credential':
      return 'The request has no bearer credential.';
    case 'invalid_credential':
      return 'The bearer credential is not valid.';
    case 'expired_credential':
      return 'The bearer credential has expired.';
    case 'revoked_credential':
      return 'The bearer credential was revoked.';
    case 'credential_kind_not_accepted':
      return accepted;
  }
}

/** Triggers notify this channel when a credential or the role of a member has changed. */
export const credentialChannel = 'signalpost_credential';

interface CredentialRow extends StoredLevels {
  readonly id: string;
  readonly account: string;
  readonly member: string;
  readonly kind: CredentialKind;
  readonly role: Role;
  readonly revoked: boolean;
  readonly expired: boolean;
  /** Null when it does not expire. */
  readonly validForMs: number | null;
  /** Whether the recorded last use is more than an hour ago. */
  readonly useIsOld: boolean;
}

/**
 * In SQL: joins the holder of a credential or session `row`, with its `role`. The row of an erased account has no
 * holder. Every look-up needs this join: erasing an account deletes its credentials and sessions, but not one
 * that another transaction is just creating.
 */
export function joinHolder(row: string): string {
  return `cross join lateral (
           select (select m.role from member m where m.id = ${row}.member_id limit 1) as role
             from account a where a.id = ${row}.account_id and a.erased_at is null limit 1) holder`;
}

const findByHash = {
  name: 'credential-by-hash',
  text: `select c.id, c.account_id as account, c.member_id as member, c.kind, c.level, holder.role,
           c.webhooks_level as "webhooksLevel", c.orders_level as "ordersLevel",
           c.revoked_at is not null as revoked,
           coalesce(c.expires_at <= now(), false) as expired,
           (extract(epoch from c.expires_at - now()) * 1000)::float8 as "validForMs",
           coalesce(c.last_used_at <= now() - interval '1 hour', true) as "useIsOld"
         from (select * from credential where token_sha256 = $1 limit 1) c
         ${joinHolder('c')}`,
};

/**
 * Finds the viewer who holds `token`, in one statement. It records the use at most once an hour.
 * @param hash the hash of `token`, if the caller has it already
 */
export async function authenticate(
  read: Read,
  token: string,
  hash = hashToken(token),
): Promise<Authenticated | AuthFailure> {
  const refused = refusalByFormat(token);
  if (refused !== undefined) return refused;

  const [row] = await read.sql<CredentialRow>(findByHash, [hash]);
  if (!row) return 'invalid_credential';
  if (row.revoked) return 'revoked_credential';
  if (row.expired) return 'expired_credential';

  const { id, kind, account, member, role } = row;
  if (row.useIsOld) recordLastUse(read, id);

  const permissions = effectivePermissions(keyPermissions(row), role);
  return {
    viewer: { credential: id, kind, account, member, permissions },
    validForMs: row.validForMs ?? Infinity,
  };
}

/** Waits neither for the standby nor for a row that another session has locked. */
const useStatement: Statement = {
  name: 'credential_use',
  text: `
    update credential set last_used_at = now()
     where id = (select c.id from credential c
                  where c.id = $1 and coalesce(c.last_used_at <= now() - interval '1 hour', true)
                    and set_config('synchronous_commit', 'off', true) = 'off'
                  limit 1 for no key update skip locked)`,
};

/** A process records one use at a time, so that the connections stay free for requests. */
let isRecording = false;

/**
 * Records the use of a credential without holding up the request. If that fails, or if another use is being
 * recorded, the next look-up of the token records it.
 */
function recordLastUse(read: Pick<Read, 'sql'>, credential: string): void {
  if (isRecording) return;
  isRecording = true;
  read
    .sql(useStatement, [credential])
    .catch(() => undefined)
    .finally(() => (isRecording = false));
}

/** Input of {@link createCredential}. */
export interface CredentialInput {
  readonly account: string;
  readonly kind: CredentialKind;
  /** Defaults to a new member with `role`. */
  readonly member?: string | null | undefined;
  /** Defaults to owner. If `member` is given, it must be the role of that member. */
  readonly role?: Role | null | undefined;
  /** Defaults to full; to restricted when `webhooks` or `orders` is given. */
  readonly level?: KeyLevel | null | undefined;
  /** Defaults to none when `orders` is given. */
  readonly webhooks?: Level | null | undefined;
  /** Defaults to none when `webhooks` is given. */
  readonly orders?: Level | null | undefined;
}

/** A new credential with its token, which is shown only once. */
export interface IssuedCredential {
  readonly id: string;
  readonly token: string;
}

const dashboardLifetimeMs = 60 * 60 * 1_000;

/**
 * Issues a credential. Only this call returns the token; the database stores its hash.
 * A dashboard token expires after one hour. Other tokens are valid until they are revoked.
 * @throws DomainError validation_failed, not_found
 */
export async function createCredential(tx: Tx, input: CredentialInput): Promise<IssuedCredential> {
  const issues = credentialIssues(input);
  if (issues.length > 0) throw validationFailed(issues);

  const { id: accountId } = await getAccount(tx, input.account);
  const memberId = await resolveMember(tx, input);
  const token = makeToken(input.kind);
  const id = makeId('crd', tx.now);
  const expiresAt =
    input.kind === 'dashboard' ? new Date(tx.now.getTime() + dashboardLifetimeMs) : null;
  await tx.manager.insert(Credential, {
    id,
    accountId,
    memberId,
    kind: input.kind,
    ...toStoredLevels(input),
    tokenSha256: hashToken(token),
    last4: token.slice(-4),
    createdAt: tx.now,
    expiresAt,
    revokedAt: null,
    lastUsedAt: null,
  });

  const changes = [{ field: 'kind', to: input.kind }];
  recordChange(tx, { action: 'credential_created', account: accountId, resource: id, changes });

  return { id, token };
}

async function resolveMember(tx: Tx, { account, member, role }: CredentialInput): Promise<string> {
  if (typeof member !== 'string') {
    return (await createHolder(tx, { account, role: role ?? 'owner' })).id;
  }
  const memberRow = await getMember(tx, account, member);
  if (role && role !== memberRow.role) {
    const detail = `The member has the role ${memberRow.role}. Leave the role out, or change the member's role.`;
    throw validationFailed([{ code: 'invalid_value', detail, param: 'role' }]);
  }
  return memberRow.id;
}

/** Returns the levels to store. Only restricted keys have a level for each area. */
function toStoredLevels({ level, webhooks, orders }: CredentialInput): StoredLevels {
  if (!webhooks && !orders) {
    return { level: level ?? 'full', webhooksLevel: null, ordersLevel: null };
  }
  const webhooksLevel = webhooks ?? 'none';
  const ordersLevel = orders ?? 'none';
  return { level: 'restricted', webhooksLevel, ordersLevel };
}

/** Validates the kind, role and levels of a new credential. */
function credentialIssues(input: CredentialInput): Issue[] {
  const { kind, role, level } = input;
  const restrictedAreas = (['webhooks', 'orders'] satisfies Area[]).filter((area) => input[area]);
  return [
    ...choiceIssues('kind', kind, credentialKinds),
    ...(role ? roleIssues(role) : []),
    ...(level ? choiceIssues('level', level, keyLevels) : []),
    ...restrictedAreas.flatMap((area) => choiceIssues(area, input[area] ?? '', levels)),
    ...restrictionIssues(input, restrictedAreas.length > 0),
  ];
}

function restrictionIssues({ kind, level }: CredentialInput, restricted: boolean): Issue[] {
  if (!restricted) {
    if (level !== 'restricted') return [];
    const detail = 'A restricted key needs a level for webhooks, for orders or for both.';
    return [{ code: 'invalid_value', detail, param: 'level' }];
  }
  if (kind === 'internal') {
    const detail = 'An internal credential has every permission and cannot be restricted.';
    return [{ code: 'invalid_value', detail, param: 'kind' }];
  }
  if (level !== 'full' && level !== 'read') return [];
  const detail =
    'A restricted key has a level for webhooks and for orders only. Omit the general level.';
  return [{ code: 'invalid_value', detail, param: 'level' }];
}

function choiceIssues(param: string, value: string, choices: readonly string[]): Issue[] {
  if (choices.includes(value)) return [];
  return [{ code: 'invalid_value', detail: `Must be one of: ${choices.join(', ')}.`, param }];
}

/**
 * Revokes a credential, unless it is revoked already. This process refuses it at once after the commit, every
 * other process within a second.
 * @param account the account that must own the credential; null for any
 * @throws DomainError not_found
 */
export async function revokeCredential(tx: Tx, account: string | null, id: string): Promise<void> {
  const credential = isId('crd', id) ? await tx.manager.findOneBy(Credential, { id }) : null;
  if (credential === null || (account !== null && credential.accountId !== account)) {
    throw notFound('credential');
  }
  if (credential.revokedAt !== null) return;

  await tx.manager.update(Credential, { id }, { revokedAt: tx.now });
  tx.credentialsChanged();
  recordChange(tx, { action: 'credential_revoked', account: credential.accountId, resource: id });
}

/** A credential as operators see it: with the levels it was issued with, without its hash. */
export type CredentialView = Omit<Credential, 'tokenSha256' | 'webhooksLevel' | 'ordersLevel'> &
  Permissions;

const columns = selectionOf([
  'id',
  'accountId',
  'memberId',
  'kind',
  'level',
  'webhooksLevel',
  'ordersLevel',
  'last4',
  'createdAt',
  'expiresAt',
  'revokedAt',
  'lastUsedAt',
]);

const allStatement: Statement = {
  name: 'credential_list',
  text: `select ${columns} from credential where account_id = $1 order by id`,
};

/** The index `credential_keys` leaves out dashboard tokens, of which there may be very many. */
const keysStatement: Statement = {
  name: 'credential_keys',
  text: `select ${columns} from credential
          where account_id = $1 and kind in ('live', 'legacy') and revoked_at is null
          order by id desc limit 200`,
};

/**
 * Returns the account's credentials, oldest first, without tokens and hashes.
 * @throws DomainError not_found
 */
export async function listCredentials(read: Read, account: string): Promise<CredentialView[]> {
  await getAccount(read, account);
  return readViews(read, allStatement, account);
}

/** Returns the API keys of an account that are not revoked, newest first, at most 200. */
export function listApiKeys(read: Read, account: string): Promise<CredentialView[]> {
  return readViews(read, keysStatement, account);
}

async function readViews(
  read: Read,
  statement: Statement,
  account: string,
): Promise<CredentialView[]> {
  const rows = await read.sql<Omit<Credential, 'tokenSha256'>>(statement, [account]);
  return rows.map(({ webhooksLevel, ordersLevel, ...view }) => ({
    ...view,
    ...keyPermissions({ level: view.level, webhooksLevel, ordersLevel }),
  }));
}

/**
 * Deletes at most `limit` credentials that expired more than 40 days ago, and the holders that were created for
 * them. Only dashboard tokens expire.
 */
export const purgeCredentials = purgeBy({
  name: 'credential_purge',
  text: `
    with gone as (
      delete from credential where ctid = any (array(
        select c.ctid from credential c
         where c.expires_at <= now() - interval '40 days'
         order by c.expires_at limit $1 for update skip locked))
      returning id, member_id
    ), holders as (
      delete from member m
       where m.id = any (array(select g.member_id from gone g)) and not m.is_person
         and (select true from credential c
               where c.member_id = m.id and c.id <> all (array(select g.id from gone g))
               limit 1) is null
    )
    select id from gone`,
});
