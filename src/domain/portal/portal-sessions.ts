// Portal sessions: browsers in which a portal link was used. They share lifetime and look-up with the sessions of
// members (sessions.ts). Browsers may block cookies in the frame of another site, so a page keeps a token of its
// session until the cookie has come back.
import { type Authenticated, type AuthFailure, joinHolder } from '../account/credentials.js';
import type { Role } from '../account/permission.js';
import { recordChange } from '../audit/audit-log.js';
import { notFound } from '../errors.js';
import { hashSecret, makeSecretToken } from '../session/secret-tokens.js';
import {
  endOfSession,
  maxUserAgentLength,
  trimStatement,
  type SigningBrowser,
  lookUpStatement,
  type FoundSession,
  viewerOfSession,
} from '../session/sessions.js';
import { purgeOf } from '../transaction/sql.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import { isId, makeId } from '../values/id.js';
import { type PortalLinkHolder, revokePortalLinks, fullPortalPermissions } from './portal-links.js';
import { PortalSession } from './portal.entity.js';

/** A portal session as the account sees it. */
export interface PortalSessionView extends Pick<
  PortalSession,
  'id' | 'linkId' | 'memberId' | 'userAgent' | 'createdAt' | 'lastUsedAt'
> {
  readonly role: Role;
  /** When it ends unless it is used before. */
  readonly expiresAt: Date;
}

/** A new session ends the oldest one beyond this number. */
const sessionsPerAccount = 200;

/** The secrets of a portal session, of which only the hashes are stored. */
interface PortalTokens {
  /** The value of the cookie. */
  readonly cookie: string;
  /** The token that the page sends until the cookie has come back. */
  readonly page: string;
}

const trimSessions = trimStatement('portal_session', 'account_id');

/**
 * Opens a session and ends the one that the browser had. An account has at most 200 sessions.
 */
export async function openPortalSession(
  tx: Tx,
  { id: linkId, accountId, memberId, role, theme }: PortalLinkHolder,
  { userAgent, replaced }: SigningBrowser,
): Promise<PortalTokens> {
  if (replaced !== undefined) await endPortalSessionOf(tx, accountId, replaced);

  const tokens = { cookie: makeSecretToken(), page: makeSecretToken() };
  const id = makeId('pse', tx.now);
  await tx.manager.insert(PortalSession, {
    id,
    accountId,
    linkId,
    memberId,
    role,
    theme,
    tokenSha256: hashSecret(tokens.cookie),
    pageTokenSha256: hashSecret(tokens.page),
    userAgent: userAgent.slice(0, maxUserAgentLength),
    createdAt: tx.now,
    lastUsedAt: tx.now,
  });

  await tx.sql(trimSessions, [accountId, sessionsPerAccount]);

  recordChange(tx, {
    action: 'portal_session_opened',
    account: accountId,
    resource: id,
    changes: [{ field: 'link', to: linkId }],
    by: { member: memberId, credential: id },
  });

  return tokens;
}

const keepStatement: Statement = {
  name: 'portal_session_keep',
  text: `update portal_session set page_token_sha256 = null
          where account_id = $1 and token_sha256 = $2 returning id`,
};

/**
 * Records that the cookie came back. From then on the token of the page is not valid.
 * @returns false if the session has ended
 */
export async function keepPortalCookie(tx: Tx, account: string, cookie: string): Promise<boolean> {
  const kept = await tx.sql(keepStatement, [account, hashSecret(cookie)]);
  if (kept.length > 0) tx.credentialsChanged();
  return kept.length > 0;
}

const findStatement = lookUpStatement(
  'portal_session',
  `s.id as credential, s.account_id as account, s.member_id as member,
             coalesce(s.role, holder.role) as role`,
  `(select * from portal_session where token_sha256 = $1
               union all
              select * from portal_session where page_token_sha256 = $1 limit 1) s
         ${joinHolder('s')}`,
);

/**
 * Finds the portal session of a cookie, or of the token that a page keeps, in one statement.
 * @param isUse whether the look-up counts as a use of the session
 */
export async function findPortalSession(
  read: Read,
  token: string,
  hash = hashSecret(token),
  isUse = true,
): Promise<Authenticated | AuthFailure> {
  const [row] = await read.sql<FoundSession>(findStatement, [hash, isUse]);
  return viewerOfSession(row, 'dashboard', fullPortalPermissions);
}

const listStatement: Statement = {
  name: 'portal_session_list',
  text: `select s.id, s.link_id as "linkId", s.member_id as "memberId",
                coalesce(s.role, (select m.role from member m where m.id = s.member_id)) as role,
                s.user_agent as "userAgent", s.created_at as "createdAt",
                s.last_used_at as "lastUsedAt", ${endOfSession} as "expiresAt"
           from portal_session s
          where (s.account_id, s.id) <= ($1, '~') and s.account_id >= $1
            and ${endOfSession} > now()
          order by s.account_id desc, s.id desc limit ${sessionsPerAccount}`,
};

/** Returns the open portal sessions of an account, newest first. */
export function listPortalSessions(read: Read, account: string): Promise<PortalSessionView[]> {
  return read.sql<PortalSessionView>(listStatement, [account]);
}

const endStatement: Statement = {
  name: 'portal_session_end',
  text: `delete from portal_session where account_id = $1 and (id = $2 or link_id = $2)
         returning id`,
};

/**
 * Ends a session, in every process within a second of the commit. The id of a link ends the session that it opened,
 * or deletes the link if it is unused.
 * @param id the id of a session or a link
 * @throws DomainError not_found
 */
export async function endPortalSession(tx: Tx, account: string, id: string): Promise<void> {
  const isLink = isId('plk', id);
  if (isLink && (await revokePortalLinks(tx, account, id)) > 0) {
    recordChange(tx, { action: 'portal_link_revoked', account, resource: id });
    return;
  }

  const ended =
    isLink || isId('pse', id) ? await tx.sql<{ id: string }>(endStatement, [account, id]) : [];
  const [first] = ended;
  if (!first) throw notFound('portal session');
  tx.credentialsChanged();
  recordChange(tx, { action: 'portal_session_ended', account, resource: first.id });
}

const endAllStatement: Statement = {
  name: 'portal_session_end_all',
  text: 'delete from portal_session where account_id = $1 returning id',
};

/**
 * Deletes the unused links of the account and ends its portal sessions.
 * @returns how many sessions ended
 */
export async function endPortalSessions(tx: Tx, account: string): Promise<number> {
  const links = await revokePortalLinks(tx, account, null);
  const { length: sessions } = await tx.sql(endAllStatement, [account]);
  if (sessions > 0) tx.credentialsChanged();

  const counts = { sessions, links };
  const changes = Object.entries(counts).flatMap(([field, count]) =>
    count === 0 ? [] : [{ field, to: String(count) }],
  );
  const action = sessions > 0 ? 'portal_session_ended' : 'portal_link_revoked';
  if (changes.length > 0) recordChange(tx, { action, account, changes });
  return sessions;
}

const endByHashStatement: Statement = {
  name: 'portal_session_end_by_hash',
  text: `delete from portal_session where account_id = $1
            and (token_sha256 = $2 or page_token_sha256 = $2)
         returning id, member_id as "memberId"`,
};

/** Ends the session of this cookie or token; does nothing if it has ended already. */
export async function endPortalSessionOf(tx: Tx, account: string, token: string): Promise<void> {
  const [ended] = await tx.sql<{ id: string; memberId: string | null }>(endByHashStatement, [
    account,
    hashSecret(token),
  ]);
  // Strangers may send any cookie. Only a real session may make all processes forget what they remember.
  if (!ended) return;
  tx.credentialsChanged();
  const by = { member: ended.memberId, credential: ended.id };
  recordChange(tx, { action: 'portal_session_ended', account, resource: ended.id, by });
}

/** Deletes portal sessions older than 7 days, which have ended by then. */
export const purgePortalSessions = purgeOf('portal_session', 'created_at', '7 days');

/** Deletes portal links older than 7 days, which have expired by then. */
export const purgePortalLinks = purgeOf('portal_link', 'created_at', '7 days');
