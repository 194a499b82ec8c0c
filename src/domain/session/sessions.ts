import { recordChange } from '../audit/record-change.js';
import { notFound } from '../errors.js';
import { isId, makeId } from '../id.js';
import type { Read, Statement, Tx } from '../tx.js';
import { hashSecret, makeSecretToken } from './secret-tokens.js';
import { Session } from './session.entity.js';
import { endOfSession, maxUserAgentLength, trimStatement } from './session-rows.js';
import type { LinkHolder } from './redeem-link.js';

/** A member's session as the member sees it. */
export interface SessionView extends Pick<
  Session,
  'id' | 'userAgent' | 'createdAt' | 'lastUsedAt'
> {
  /** When it ends without further use. */
  readonly expiresAt: Date;
}

/** One more ends the oldest. */
const sessionsPerMember = 20;

const trimSessions = trimStatement('session', 'member_id');

const listStatement: Statement = {
  name: 'session_list',
  text: `select s.id, s.user_agent as "userAgent", s.created_at as "createdAt",
                s.last_used_at as "lastUsedAt", ${endOfSession} as "expiresAt"
           from session s where s.member_id = $1 and ${endOfSession} > now()
          order by s.id desc limit ${sessionsPerMember}`,
};

const signedInStatement: Statement = {
  name: 'member_signed_in',
  text: 'update member set signed_in_at = $2 where id = $1',
};

const endStatement: Statement = {
  name: 'session_end',
  text: 'delete from session where id = $1 and member_id = $2 returning id',
};

/** The rows stay: they limit the mails to an address. */
const endLinksStatement: Statement = {
  name: 'sign_in_link_end',
  text: `update sign_in_link set expires_at = now()
          where member_id = $1 and used_at is null and expires_at > now() returning id`,
};

const endOthersStatement: Statement = {
  name: 'session_end_others',
  text: 'delete from session where member_id = $1 and id <> $2 returning id',
};

const endByHashStatement: Statement = {
  name: 'session_end_by_hash',
  text: `delete from session where token_sha256 = $1
         returning id, account_id as "accountId", member_id as "memberId"`,
};

type EndedSession = Pick<Session, 'id' | 'accountId' | 'memberId'>;

/** The browser that signs in. */
export interface SigningBrowser {
  readonly userAgent: string;
  /** The cookie of the session that the new one replaces, if there is one. */
  readonly replaced: string | undefined;
}

/**
 * Opens a session and ends the one that the browser had. A member has at most 20.
 * @returns the value of its cookie, which is stored only as its hash
 */
export async function openSession(
  tx: Tx,
  { linkId, accountId, memberId }: LinkHolder,
  { userAgent, replaced }: SigningBrowser,
): Promise<string> {
  if (replaced !== undefined) await endSessionOf(tx, replaced);
  const token = makeSecretToken();
  const id = makeId('ses', tx.now);
  await tx.manager.insert(Session, {
    id,
    accountId,
    memberId,
    tokenSha256: hashSecret(token),
    userAgent: userAgent.slice(0, maxUserAgentLength),
    createdAt: tx.now,
    lastUsedAt: tx.now,
  });
  await tx.sql(trimSessions, [memberId, sessionsPerMember]);
  await tx.sql(signedInStatement, [memberId, tx.now]);
  recordChange(tx, {
    action: 'session_opened',
    account: accountId,
    resource: id,
    // Of a printed link the log says who printed it.
    changes: [{ field: 'link', to: linkId }],
    by: { member: memberId, credential: id },
  });
  return token;
}

/** Returns the open sessions of a member, newest first. */
export function listSessions(read: Read, member: string): Promise<SessionView[]> {
  return read.sql<SessionView>(listStatement, [member]);
}

/**
 * Ends a session of the member. Every process refuses it within a second of the commit, this one at
 * once.
 * @throws DomainError not_found
 */
export async function endSession(tx: Tx, member: string, id: string): Promise<void> {
  const ended = isId('ses', id) ? await tx.sql(endStatement, [id, member]) : [];
  if (ended.length === 0) throw notFound('session');
  recordChange(tx, { action: 'session_ended', resource: id });
  tx.credentialsChanged();
}

/**
 * Ends all sessions of the member but one, and the unused links that would open others. The links end
 * first: that waits for one that is being redeemed, and its session ends, too.
 * @returns how many sessions ended
 */
export async function endOtherSessions(tx: Tx, member: string, kept: string): Promise<number> {
  await tx.sql(endLinksStatement, [member]);

  const ended = await tx.sql<{ id: string }>(endOthersStatement, [member, kept]);
  for (const { id } of ended) recordChange(tx, { action: 'session_ended', resource: id });
  tx.credentialsChanged();
  return ended.length;
}

/** Ends the session of this cookie; does nothing when it has ended. */
export async function endSessionOf(tx: Tx, token: string): Promise<void> {
  const [ended] = await tx.sql<EndedSession>(endByHashStatement, [hashSecret(token)]);
  // Strangers may send any cookie: only one of ours costs the processes the viewers that they keep.
  if (!ended) return;
  tx.credentialsChanged();
  const { id, accountId, memberId } = ended;
  const by = { member: memberId, credential: id };
  recordChange(tx, { action: 'session_ended', account: accountId, resource: id, by });
}
