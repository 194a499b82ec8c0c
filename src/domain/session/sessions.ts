// Sessions of members in the dashboard, and what sessions of operators and of the portal share with them.
//
// A session is a cookie of which the database keeps the hash. It ends 12 hours after its last use, and at most 7
// days after sign-in. Every request looks it up and records the use at most once a minute. Processes remember a
// look-up for a moment; who ends a session or changes a role notifies them (`credentialsChanged`), so an ended
// session works for at most another second.
//
// Opening and ending a session, the sign-in link that it uses up and the audit entry are one transaction.
import {
  type Authenticated,
  type AuthFailure,
  joinHolder,
  type Viewer,
} from '../account/credentials.js';
import {
  keyPermissions,
  effectivePermissions,
  type Permissions,
  type Role,
} from '../account/permission.js';
import { recordChange } from '../audit/audit-log.js';
import { notFound } from '../errors.js';
import { purgeOf } from '../transaction/sql.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import { isId, makeId } from '../values/id.js';
import type { LinkHolder } from './redeem-link.js';
import { hashSecret, makeSecretToken, isSecretToken } from './secret-tokens.js';
import { Session } from './session.entity.js';

/** The browser that signs in. */
export interface SigningBrowser {
  readonly userAgent: string;
  /** The cookie of an earlier session in this browser, which the new session replaces. */
  readonly replaced: string | undefined;
}

/** A member's session as the member sees it. */
export interface SessionView extends Pick<
  Session,
  'id' | 'userAgent' | 'createdAt' | 'lastUsedAt'
> {
  /** When it ends unless it is used before. */
  readonly expiresAt: Date;
}

/** A new session ends the oldest one beyond this number. */
const sessionsPerMember = 20;

/** A session ends when it has not been used for this long. */
const idleHours = 12;
/** A session ends when it is this old, even if it is used. */
export const maxSessionDays = 7;

/** In SQL: when a session `s` ends. */
export const endOfSession = `least(s.created_at + interval '${maxSessionDays} days',
  s.last_used_at + interval '${idleHours} hours')`;

/** A session keeps so many characters of the User-Agent. */
export const maxUserAgentLength = 200;

const trimSessions = trimStatement('session', 'member_id');

const signedInStatement: Statement = {
  name: 'member_signed_in',
  text: 'update member set signed_in_at = $2 where id = $1',
};

/**
 * Opens a session and ends the one that the browser had. A member has at most 20 sessions.
 * @returns the value of its cookie, of which only the hash is stored
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
    // If an operator printed the link, the log also says who did.
    changes: [{ field: 'link', to: linkId }],
    by: { member: memberId, credential: id },
  });

  return token;
}

const findStatement = lookUpStatement(
  'session',
  's.id as credential, s.account_id as account, s.member_id as member, holder.role',
  `(select * from session where token_sha256 = $1 limit 1) s
   ${joinHolder('s')}`,
);

const fullPermissions = keyPermissions({ level: 'full', webhooksLevel: null, ordersLevel: null });

/**
 * Finds the member who is signed in with this cookie, in one statement.
 * @param isUse whether the look-up counts as a use of the session
 */
export async function findSession(
  read: Read,
  token: string,
  hash = hashSecret(token),
  isUse = true,
): Promise<Authenticated | AuthFailure> {
  const [row] = await read.sql<FoundSession>(findStatement, [hash, isUse]);
  return viewerOfSession(row, 'dashboard', fullPermissions);
}

/** Returns why a cookie is rejected without a look-up; undefined if it needs one. */
export function refuseSessionFormat(token: string): 'invalid_credential' | undefined {
  return isSecretToken(token) ? undefined : 'invalid_credential';
}

const listStatement: Statement = {
  name: 'session_list',
  text: `select s.id, s.user_agent as "userAgent", s.created_at as "createdAt",
                s.last_used_at as "lastUsedAt", ${endOfSession} as "expiresAt"
           from session s where s.member_id = $1 and ${endOfSession} > now()
          order by s.id desc limit ${sessionsPerMember}`,
};

/** Returns the open sessions of a member, newest first. */
export function listSessions(read: Read, member: string): Promise<SessionView[]> {
  return read.sql<SessionView>(listStatement, [member]);
}

const endStatement: Statement = {
  name: 'session_end',
  text: 'delete from session where id = $1 and member_id = $2 returning id',
};

/**
 * Ends a session of the member. This process rejects it at once after the commit, every other within a second.
 * @throws DomainError not_found
 */
export async function endSession(tx: Tx, member: string, id: string): Promise<void> {
  const ended = isId('ses', id) ? await tx.sql(endStatement, [id, member]) : [];
  if (ended.length === 0) throw notFound('session');
  recordChange(tx, { action: 'session_ended', resource: id });
  tx.credentialsChanged();
}

/** Ends the links but keeps their rows, which limit the mails to an address. */
const endLinksStatement: Statement = {
  name: 'sign_in_link_end',
  text: `update sign_in_link set expires_at = now()
          where member_id = $1 and used_at is null and expires_at > now() returning id`,
};

const endOthersStatement: Statement = {
  name: 'session_end_others',
  text: 'delete from session where member_id = $1 and id <> $2 returning id',
};

/**
 * Ends all sessions of the member but one, and the unused links that could open others. It ends the links first:
 * so it waits for a link that is just being redeemed, and then ends its session, too.
 * @returns how many sessions ended
 */
export async function endOtherSessions(tx: Tx, member: string, kept: string): Promise<number> {
  await tx.sql(endLinksStatement, [member]);

  const ended = await tx.sql<{ id: string }>(endOthersStatement, [member, kept]);
  for (const { id } of ended) recordChange(tx, { action: 'session_ended', resource: id });
  tx.credentialsChanged();
  return ended.length;
}

const endByHashStatement: Statement = {
  name: 'session_end_by_hash',
  text: `delete from session where token_sha256 = $1
         returning id, account_id as "accountId", member_id as "memberId"`,
};

type EndedSession = Pick<Session, 'id' | 'accountId' | 'memberId'>;

/** Ends the session of this cookie; does nothing if it has ended already. */
export async function endSessionOf(tx: Tx, token: string): Promise<void> {
  const [ended] = await tx.sql<EndedSession>(endByHashStatement, [hashSecret(token)]);
  // Strangers may send any cookie. Only a real session may make all processes forget what they remember.
  if (!ended) return;
  tx.credentialsChanged();
  const { id, accountId, memberId } = ended;
  const by = { member: memberId, credential: id };
  recordChange(tx, { action: 'session_ended', account: accountId, resource: id, by });
}

/** Deletes sessions older than 7 days. */
export const purgeSessions = purgeOf('session', 'created_at', `${maxSessionDays} days`);

/** Deletes sessions of operators older than 7 days. */
export const purgeOperatorSessions = purgeOf(
  'operator_session',
  'created_at',
  `${maxSessionDays} days`,
);

/** Deletes sign-in links older than an hour. Expired links are kept until then: they limit the mails to an address. */
export const purgeLinks = purgeOf('sign_in_link', 'created_at', '1 hour');

/** The result of {@link lookUpStatement}. */
export interface FoundSession {
  /** The id that its viewer has as credential. */
  readonly credential: string;
  readonly account: string;
  readonly member: string | null;
  readonly role: Role;
  readonly validForMs: number;
}

/**
 * Returns the statement that finds a session by its hash `$1`. It records the use at most once a minute; other
 * look-ups write nothing. If `$2` is false, the look-up does not count as a use: an open stream must not keep a
 * session alive.
 * @param columns the columns of {@link FoundSession} without the last
 * @param from the session as `s`, and what else the columns need
 * @param end when the session ends
 */
export function lookUpStatement(
  table: string,
  columns: string,
  from: string,
  end = endOfSession,
): Statement {
  return {
    name: `${table}_by_hash`,
    text: `
    with found as (
      select s.id, s.last_used_at, ${columns},
             (extract(epoch from ${end} - now()) * 1000)::float8 as "validForMs"
        from ${from}
    ), used as (
      update ${table} set last_used_at = now()
       where id = any (array(select f.id from found f where $2::boolean and f."validForMs" > 0
                               and f.last_used_at <= now() - interval '1 minute'))
    )
    select f.* from found f`,
  };
}

/**
 * Returns the viewer of a session.
 * @param granted what the session may do before the role of its holder limits it
 */
export function viewerOfSession(
  session: FoundSession | undefined,
  kind: Viewer['kind'],
  granted: Permissions,
): Authenticated | AuthFailure {
  if (!session) return 'invalid_credential';
  const { credential, account, member, role, validForMs } = session;
  if (validForMs <= 0) return 'expired_credential';
  const permissions = effectivePermissions(granted, role);
  return { viewer: { credential, kind, account, member, permissions }, validForMs };
}

/** Returns the statement that deletes all but the newest `$2` rows of an owner `$1`. */
export function trimStatement(table: string, owner: string): Statement {
  return {
    name: `${table}_trim`,
    text: `
    delete from ${table} where (${owner}, id) <= ($1, (
      select l.id from ${table} l where (l.${owner}, l.id) <= ($1, '~') and l.${owner} >= $1
       order by l.${owner} desc, l.id desc offset $2 limit 1)) and ${owner} >= $1`,
  };
}
