// Portal links: URLs that an account gives its customers, each of which opens one portal session.
//
// A link acts for a member, or for a role without one, and may do at most `fullPortalPermissions`. It works once
// and for at most 7 days; its token is stored as a hash only. It stops working when its account is erased, or when
// the member who created it no longer administers the account. An account has at most 1,000 of them.
import { getAccount, getMember } from '../account/accounts.js';
import { effectivePermissions, type Permissions, type Role } from '../account/permission.js';
import { recordChange } from '../audit/audit-log.js';
import { DomainError, type Issue, validationFailed } from '../errors.js';
import { hashSecret, isSecretToken, makeSecretToken } from '../session/secret-tokens.js';
import { trimStatement } from '../session/sessions.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import { makeId } from '../values/id.js';
import { type PortalThemeInput, themeIssues, toTheme } from './portal-input.js';
import { PortalLink } from './portal.entity.js';

/** The most that a session in a page of another site may do. It cannot move money. */
export const fullPortalPermissions: Permissions = { webhooks: 'write', orders: 'read' };

const minTtlSeconds = 60;
const maxTtlSeconds = 7 * 86_400;
const defaultTtlSeconds = 15 * 60;

/** A new link deletes the oldest one beyond this number, used or not. */
const maxLinks = 1_000;

/** A link without a member cannot administer the account, and the portal shows webhooks only. */
const linkRoles: readonly Role[] = ['developer', 'viewer'];

const trimLinks = trimStatement('portal_link', 'account_id');

/**
 * In SQL: whether a link `l` opens a session. It checks account and creator itself: erasing an account, or changing
 * the role of a member, does not delete a link that another transaction is just creating.
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

/** A link that can still be used, as the account sees it. */
export interface PortalLinkView extends Pick<
  PortalLink,
  'id' | 'memberId' | 'makerId' | 'createdAt' | 'expiresAt'
> {
  readonly role: Role;
}

/** Input of {@link createPortalLink}: either a member or a role. */
export interface PortalLinkInput {
  /** The member for whom the session acts. */
  readonly member?: string | null | undefined;
  /** The role of a session without a member: developer or viewer. */
  readonly role?: Role | null | undefined;
  readonly ttlSeconds?: number | null | undefined;
  /** Colours that differ from the settings. */
  readonly theme?: PortalThemeInput | null | undefined;
}

/** A new link with its URL, which is shown only once. */
export interface MadePortalLink {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: Date;
}

/** What a redeemed link opens. */
export type PortalLinkHolder = Pick<PortalLink, 'id' | 'accountId' | 'memberId' | 'role' | 'theme'>;

/**
 * Creates a link that opens one session of the portal.
 * @param by the member who creates it; null for an operator. Members create links for a role or for themselves only:
 *   otherwise the audit log would name the wrong person
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
 * Redeems the link with this token. Of several concurrent calls, exactly one gets what it opens.
 * @returns undefined if it was used, has expired, belongs to another account, or never existed
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
 * Deletes unused links; the caller records that in the audit log. It waits for a link that is just being redeemed.
 * So call it before ending sessions: then the session of that link ends, too.
 * @param id the id of one link; null for all links of the account
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
  const detail = `The member has the role ${role}, which cannot see webhooks.`;
  throw validationFailed([{ code: 'invalid_value', detail, param: 'member' }]);
}
