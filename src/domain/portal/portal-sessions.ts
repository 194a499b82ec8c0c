import type { Role } from '../account/permission.js';
import { recordChange } from '../audit/record-change.js';
import { notFound } from '../errors.js';
import { isId, makeId } from '../id.js';
import { hashSecret, makeSecretToken } from '../session/secret-tokens.js';
import { endOfSession, maxUserAgentLength, trimStatement } from '../session/session-rows.js';
import type { SigningBrowser } from '../session/sessions.js';
import type { Read, Statement, Tx } from '../tx.js';
import { type PortalLinkHolder, revokePortalLinks } from './portal-links.js';
import { PortalSession } from './portal-session.entity.js';

/** A portal session as the account sees it. */
export interface PortalSessionView extends Pick<
  PortalSession,
  'id' | 'linkId' | 'memberId' | 'userAgent' | 'createdAt' | 'lastUsedAt'
> {
  readonly role: Role;
  /** When it ends without further use. */
  readonly expiresAt: Date;
}

/** One more ends the oldest. */
const sessionsPerAccount = 200;

const trimSessions = trimStatement('portal_session', 'account_id');

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

const endStatement: Statement = {
  name: 'portal_session_end',
  text: `delete from portal_session where account_id = $1 and (id = $2 or link_id = $2)
         returning id`,
};

const endAllStatement: Statement = {
  name: 'portal_session_end_all',
  text: 'delete from portal_session where account_id = $1 returning id',
};

const endByHashStatement: Statement = {
  name: 'portal_session_end_by_hash',
  text: `delete from portal_session where account_id = $1
            and (token_sha256 = $2 or page_token_sha256 = $2)
         returning id, member_id as "memberId"`,
};

const keepStatement: Statement = {
  name: 'portal_session_keep',
  text: `update portal_session set page_token_sha256 = null
          where account_id = $1 and token_sha256 = $2 returning id`,
};

/** What opens a portal session: each is stored only as its hash. */
export interface PortalTokens {
  /** The value of the cookie. */
  readonly cookie: string;
  /** What the page sends until the cookie has come back. */
  readonly page: string;
}

/**
 * Opens a session and ends the one that the browser had. An account has at most 200.
 * @param replaced the cookie of the session that the new one replaces, if there is one
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

/**
 * Notes that the cookie came back: the token of the page opens nothing from then on.
 * @returns false when the session has ended
 */
export async function keepPortalCookie(tx: Tx, account: string, cookie: string): Promise<boolean> {
  const kept = await tx.sql(keepStatement, [account, hashSecret(cookie)]);
  if (kept.length > 0) tx.credentialsChanged();
  return kept.length > 0;
}

/** Returns the open portal sessions of an account, newest first. */
export function listPortalSessions(read: Read, account: string): Promise<PortalSessionView[]> {
  return read.sql<PortalSessionView>(listStatement, [account]);
}

/**
 * Ends a session, in every process within a second of the commit. Of a link it ends the session that it
 * opened; a link that is unused is deleted.
 * @param id of the session or of the link
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

/** Ends all portal sessions of the account and deletes its unused links. @returns how many sessions ended */
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

/** Ends the session of this cookie or token; does nothing when it has ended. */
export async function endPortalSessionOf(tx: Tx, account: string, token: string): Promise<void> {
  const [ended] = await tx.sql<{ id: string; memberId: string | null }>(endByHashStatement, [
    account,
    hashSecret(token),
  ]);
  // Only a cookie of ours costs the processes the viewers that they keep.
  if (!ended) return;
  tx.credentialsChanged();
  const by = { member: ended.memberId, credential: ended.id };
  recordChange(tx, { action: 'portal_session_ended', account, resource: ended.id, by });
}
