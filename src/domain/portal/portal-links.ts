import { getAccount, getMember } from '../account/accounts.js';
import { effectivePermissions, type Role } from '../account/permission.js';
import { recordChange } from '../audit/record-change.js';
import { DomainError, type Issue, validationFailed } from '../errors.js';
import { makeId } from '../id.js';
import { hashSecret, isSecretToken, makeSecretToken } from '../session/secret-tokens.js';
import { trimStatement } from '../session/session-rows.js';
import type { Read, Statement, Tx } from '../tx.js';
import { fullPortalPermissions } from './find-portal-session.js';
import { PortalLink } from './portal-link.entity.js';
import { type PortalThemeInput, themeIssues, toTheme } from './portal-theme.js';

const minTtlSeconds = 60;
const maxTtlSeconds = 7 * 86_400;
const defaultTtlSeconds = 15 * 60;

/** One more ends the oldest, used or not. */
const maxLinks = 1_000;

/** Roles without members administer nothing, and the portal shows webhooks. */
const linkRoles: readonly Role[] = ['developer', 'viewer'];

const trimLinks = trimStatement('portal_link', 'account_id');

/**
 * In SQL: whether a link `l` opens a session. Erasing an account deletes its links, and a member who no
 * longer administers it loses those that the member made. One that was just being made would be left.
 */
const isUsable = `l.used_at is null and l.expires_at > now()
  and exists (select from account a where a.id = l.account_id and a.erased_at is null)
  and (l.maker_id is null
       or exists (select from member m where m.id = l.maker_id and m.role in ('owner', 'admin')))`;

const redeemStatement: Statement = {
  name: 'portal_link_redeem',
  text: `
    update portal_link l set used_at = now()
     where l.token_sha256 = $1 and l.account_id = $2 and ${isUsable}
    returning l.id, l.account_id as "accountId", l.member_id as "memberId", l.role, l.theme`,
};

const listStatement: Statement = {
  name: 'portal_link_list',
  text: `select l.id, l.member_id as "memberId", l.maker_id as "makerId",
                coalesce(l.role, (select m.role from member m where m.id = l.member_id)) as role,
                l.created_at as "createdAt", l.expires_at as "expiresAt"
           from portal_link l
          where (l.account_id, l.id) <= ($1, '~') and l.account_id >= $1
            and ${isUsable}
          order by l.account_id desc, l.id desc limit ${maxLinks}`,
};

const revokeStatement: Statement = {
  name: 'portal_link_revoke',
  text: `delete from portal_link
          where account_id = $1 and ($2::text is null or id = $2) and used_at is null returning id`,
};

/** An unused link as the account sees it. */
export interface PortalLinkView extends Pick<
  PortalLink,
  'id' | 'memberId' | 'makerId' | 'createdAt' | 'expiresAt'
> {
  readonly role: Role;
}

/** What a link is to open. It has a member or a role. */
export interface PortalLinkInput {
  /** The member for whom the session acts. */
  readonly member?: string | null | undefined;
  /** What the session may do without a member: developer or viewer. */
  readonly role?: Role | null | undefined;
  readonly ttlSeconds?: number | null | undefined;
  /** What differs from the settings. */
  readonly theme?: PortalThemeInput | null | undefined;
}

/** A new link; its URL is shown only this once. */
export interface MadePortalLink {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: Date;
}

/** What a redeemed link opens. */
export type PortalLinkHolder = Pick<PortalLink, 'id' | 'accountId' | 'memberId' | 'role' | 'theme'>;

/**
 * Makes a link that opens one session of the portal.
 * @param by the member who asks, who makes links for a role and for themselves only: else the audit log
 *   would name the wrong person; null for an operator
 * @throws DomainError validation_failed, not_found, forbidden
 */
export async function createPortalLink(
  tx: Tx,
  by: string | null,
  account: string,
  input: PortalLinkInput,
): Promise<MadePortalLink> {
  const { member = null, role = null, theme, ttlSeconds } = input;
  const issues = linkIssues(input);
  if (issues.length > 0) throw validationFailed(issues);
  if (by !== null && member !== null && member !== by) {
    const detail = 'A member can create links for a role or for themselves. Omit `member`.';
    throw new DomainError('forbidden', detail, [{ code: 'permission_missing', detail }]);
  }
  await getAccount(tx, account);
  if (member !== null) assertSeesWebhooks((await getMember(tx, account, member)).role);
  const token = makeSecretToken();
  const id = makeId('plk', tx.now);
  const expiresAt = new Date(tx.now.getTime() + (ttlSeconds ?? defaultTtlSeconds) * 1_000);
  await tx.manager.insert(PortalLink, {
    id,
    accountId: account,
    memberId: member,
    role,
    makerId: by,
    tokenSha256: hashSecret(token),
    theme: theme ? toTheme(theme) : null,
    createdAt: tx.now,
    expiresAt,
  });
  await tx.sql(trimLinks, [account, maxLinks]);
  const changes = [role === null ? { field: 'member', to: member } : { field: 'role', to: role }];
  recordChange(tx, { action: 'portal_link_created', account, resource: id, changes });
  // No server and no log sees a fragment.
  return { id, url: `${tx.rules.baseUrl}/portal/${account}/#${token}`, expiresAt };
}

/**
 * Redeems the link of this token: exactly one of several calls gets what it opens.
 * @returns undefined when it was used, is too old, is of another account, or never was
 */
export async function redeemPortalLink(
  tx: Tx,
  account: string,
  token: string,
): Promise<PortalLinkHolder | undefined> {
  if (!isSecretToken(token)) return undefined;
  const [holder] = await tx.sql<PortalLinkHolder>(redeemStatement, [hashSecret(token), account]);
  return holder;
}

/** Returns the links of an account that can still be used, newest first. */
export function listPortalLinks(read: Read, account: string): Promise<PortalLinkView[]> {
  return read.sql<PortalLinkView>(listStatement, [account]);
}

/**
 * Deletes unused links; its caller records that. It waits for one that is being redeemed, which is used then: end the sessions
 * afterwards, and the session that it opened ends, too.
 * @param id of one link; null for all of the account
 * @returns how many it deleted
 */
export async function revokePortalLinks(
  tx: Tx,
  account: string,
  id: string | null,
): Promise<number> {
  return (await tx.sql(revokeStatement, [account, id])).length;
}

function linkIssues({ member, role, theme, ttlSeconds }: PortalLinkInput): Issue[] {
  const issues = [...themeIssues(theme ?? {})];
  if ((member == null) === (role == null)) {
    issues.push({ code: 'required', detail: 'Give either member or role.', param: 'role' });
  } else if (role != null && !linkRoles.includes(role)) {
    const detail = `Must be ${linkRoles.join(' or ')}. Portal links cannot have an admin role.`;
    issues.push({ code: 'invalid_value', detail, param: 'role' });
  }
  if (ttlSeconds != null && (ttlSeconds < minTtlSeconds || ttlSeconds > maxTtlSeconds)) {
    const detail = `Must be from ${minTtlSeconds} to ${maxTtlSeconds} seconds.`;
    issues.push({ code: 'out_of_range', detail, param: 'ttlSeconds' });
  }
  return issues;
}

function assertSeesWebhooks(role: Role): void {
  if (effectivePermissions(fullPortalPermissions, role).webhooks !== 'none') return;
  const detail = `The member has the role ${role}, which sees no webhooks.`;
  throw validationFailed([{ code: 'invalid_value', detail, param: 'member' }]);
}
