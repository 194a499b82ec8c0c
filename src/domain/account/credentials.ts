import { recordChange } from '../audit/record-change.js';
import { notFound, validationFailed } from '../errors.js';
import { isId, makeId } from '../id.js';
import type { Read, Tx } from '../tx.js';
import { createHolder, getAccount, getMember } from './accounts.js';
import { Credential } from './credential.entity.js';
import { type CredentialInput, credentialIssues, toStoredLevels } from './credential-input.js';
import { recordLastUse } from './record-last-use.js';
import {
  effectivePermissions,
  keyPermissions,
  type Permissions,
  type Role,
  type StoredLevels,
} from './permission.js';
import { type CredentialKind, hashToken, makeToken, refusalByFormat } from './token.js';

/** The caller of a request. */
export interface Viewer {
  /** The credential's id. */
  readonly credential: string;
  readonly kind: CredentialKind;
  readonly account: string;
  /** The id of the member who holds the credential; null in a portal session for a role. */
  readonly member: string | null;
  /** For each area the lower of the credential's level and its holder's role. */
  readonly permissions: Permissions;
}

/** Says whether a portal session asks: it acts in the page of another site, for a customer. */
export function isPortalSession({ credential }: Pick<Viewer, 'credential'>): boolean {
  return isId('pse', credential);
}

/** What a look-up of a valid token found. */
export interface Authenticated {
  readonly viewer: Viewer;
  /** Milliseconds from the look-up to the token's expiry; Infinity if it does not expire. */
  readonly validForMs: number;
}

/**
 * The channel on which triggers notify that a credential or a member's role has changed. What was
 * found before may be out of date then.
 */
export const credentialChannel = 'signalpost_credential';

/** Why the service refuses a token; these are public codes. */
export type AuthFailure =
  | 'invalid_credential'
  | 'expired_credential'
  | 'revoked_credential'
  | 'credential_kind_not_accepted';

/** A new credential; its token is shown only this once. */
export interface IssuedCredential {
  readonly id: string;
  readonly token: string;
}

const dashboardLifetimeMs = 60 * 60 * 1_000;

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
  /** Whether the time of its last use is more than an hour old. */
  readonly useIsOld: boolean;
}

/**
 * In SQL: the `role` of the holder of a row `row` with an account and a member. Nobody holds a row of an
 * erased account: erasing deletes its credentials and sessions, but one that was just being made would
 * be left. So each look-up of a credential or a session joins this.
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
 * Finds the viewer who holds `token`, in one statement. At most once an hour it notes the use.
 * @param hash that of `token`; a caller that has it already passes it
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

/**
 * Issues a credential. It returns the token only this once and stores its hash.
 * A dashboard token expires after one hour; other tokens are valid until they are revoked.
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

/**
 * Revokes a credential; one that was revoked before stays unchanged. Every process refuses it
 * within a second of the commit, this one at once.
 * @param account the account that must own the credential; null for any
 * @throws DomainError not_found
 */
export async function revokeCredential(tx: Tx, account: string | null, id: string): Promise<void> {
  const credential = isId('crd', id) ? await tx.manager.findOneBy(Credential, { id }) : null;
  if (credential === null || (account !== null && credential.accountId !== account)) {
    throw notFound('credential');
  }
  if (credential.revokedAt === null) {
    await tx.manager.update(Credential, { id }, { revokedAt: tx.now });
    tx.credentialsChanged();
    const { accountId: owner } = credential;
    recordChange(tx, { action: 'credential_revoked', account: owner, resource: id });
  }
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
