import { type ErrorEntry, notFound, validationFailed } from '../errors.js';
import { isId, makeId } from '../id.js';
import type { Read, Tx } from '../tx.js';
import { createMember, getAccount, getMember, roleFaults } from './accounts.js';
import { Credential } from './credential.entity.js';
import { effective, type KeyLevel, keyLevels, type Permissions, type Role } from './permission.js';
import {
  type CredentialKind,
  credentialKinds,
  hashToken,
  isTestToken,
  isTokenShaped,
  makeToken,
} from './token.js';

/** Who is calling, and what they may do at this moment. */
export interface Viewer {
  /** The credential's id. */
  readonly credential: string;
  readonly kind: CredentialKind;
  readonly account: string;
  /** The lower of the credential's level and its holder's role, at this moment (H89). */
  readonly permissions: Permissions;
}

/** Why a token is refused; the codes of contract part 3. */
export type AuthFailure =
  | 'invalid_credential'
  | 'expired_credential'
  | 'revoked_credential'
  | 'credential_kind_not_accepted';

/** What a credential is made of; without a member one of that role is made. */
export interface CredentialInput {
  readonly account: string;
  readonly kind: CredentialKind;
  readonly member?: string | null | undefined;
  /** Default owner; with a member it must be the member's own. */
  readonly role?: Role | null | undefined;
  /** Default full. */
  readonly level?: KeyLevel | null | undefined;
}

/** A credential at the only moment when its token is known. */
export interface IssuedCredential {
  readonly id: string;
  readonly token: string;
}

const dashboardLifetimeMs = 60 * 60 * 1_000;

const findByHash = {
  name: 'credential-by-hash',
  text: `select c.id, c.account_id as account, c.kind, c.level, m.role,
           c.revoked_at is not null as revoked,
           coalesce(c.expires_at <= now(), false) as expired
         from (select * from credential where token_sha256 = $1 limit 1) c
         cross join lateral (select role from member where id = c.member_id limit 1) m`,
};

/**
 * Finds out who holds `token`, in one statement (H86–H89).
 * @param hash of the token, for whoever has it already
 */
export async function authenticate(
  read: Read,
  token: string,
  hash = hashToken(token),
): Promise<Viewer | AuthFailure> {
  if (isTestToken(token)) return 'credential_kind_not_accepted';
  if (!isTokenShaped(token)) return 'invalid_credential';
  const [found] = await read.sql<{
    id: string;
    account: string;
    kind: CredentialKind;
    level: KeyLevel;
    role: Role;
    revoked: boolean;
    expired: boolean;
  }>(findByHash, [hash]);
  if (!found) return 'invalid_credential';
  if (found.revoked) return 'revoked_credential';
  if (found.expired) return 'expired_credential';
  const { id, kind, account, level, role } = found;
  return { credential: id, kind, account, permissions: effective(level, role) };
}

/**
 * Issues a credential; its token is returned this once and kept only as a hash (H86).
 * A dashboard token lives for one hour, the others until they are revoked.
 * @throws DomainError validation_failed, not_found
 */
export async function createCredential(tx: Tx, input: CredentialInput): Promise<IssuedCredential> {
  const faults = inputFaults(input);
  if (faults.length > 0) throw validationFailed(faults);
  const { id: accountId } = await getAccount(tx, input.account);
  const memberId = await holderOf(tx, input);
  const token = makeToken(input.kind);
  const id = makeId('crd', tx.now);
  const expiresAt =
    input.kind === 'dashboard' ? new Date(tx.now.getTime() + dashboardLifetimeMs) : null;
  await tx.manager.insert(Credential, {
    id,
    accountId,
    memberId,
    kind: input.kind,
    level: input.level ?? 'full',
    tokenSha256: hashToken(token),
    last4: token.slice(-4),
    createdAt: tx.now,
    expiresAt,
    revokedAt: null,
  });
  return { id, token };
}

/**
 * Ends a credential at once; one that has ended already stays as it is.
 * @param account whose credential it must be; null for any
 * @throws DomainError not_found
 */
export async function revokeCredential(tx: Tx, account: string | null, id: string): Promise<void> {
  const credential = isId('crd', id) ? await tx.manager.findOneBy(Credential, { id }) : null;
  if (credential === null || (account !== null && credential.accountId !== account)) {
    throw notFound('credential');
  }
  if (credential.revokedAt === null) {
    await tx.manager.update(Credential, { id }, { revokedAt: tx.now });
  }
}

/**
 * The account's credentials, oldest first; tokens and their hashes stay out of it.
 * @throws DomainError not_found
 */
export async function listCredentials(
  read: Read,
  account: string,
): Promise<Omit<Credential, 'tokenSha256'>[]> {
  await getAccount(read, account);
  return read.manager.find(Credential, {
    where: { accountId: account },
    order: { id: 'ASC' },
    select: {
      id: true,
      accountId: true,
      memberId: true,
      kind: true,
      level: true,
      last4: true,
      createdAt: true,
      expiresAt: true,
      revokedAt: true,
    },
  });
}

async function holderOf(tx: Tx, { account, member, role }: CredentialInput): Promise<string> {
  if (typeof member !== 'string') {
    const email = `${role ?? 'owner'}@${account.replace('_', '-').toLowerCase()}.invalid`;
    return (await createMember(tx, { account, email, role: role ?? 'owner' })).id;
  }
  const holder = await getMember(tx, account, member);
  if (role && role !== holder.role) {
    const detail = `The member is ${holder.role}; leave the role out or change the member's.`;
    throw validationFailed([{ code: 'invalid_value', detail, param: 'role' }]);
  }
  return holder.id;
}

function inputFaults({ kind, role, level }: CredentialInput): ErrorEntry[] {
  return [
    ...choiceFaults('kind', kind, credentialKinds),
    ...(role ? roleFaults(role) : []),
    ...(level ? choiceFaults('level', level, keyLevels) : []),
  ];
}

function choiceFaults(param: string, value: string, choices: readonly string[]): ErrorEntry[] {
  if (choices.includes(value)) return [];
  return [{ code: 'invalid_value', detail: `Must be one of: ${choices.join(', ')}.`, param }];
}
