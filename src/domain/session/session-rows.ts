import type { Authenticated, AuthFailure, Viewer } from '../account/credentials.js';
import { effectivePermissions, type Permissions, type Role } from '../account/permission.js';
import type { Statement } from '../tx.js';

/** Unused for this long, or this old, a session ends. */
const idleHours = 12;
export const maxDays = 7;

/** Of a User-Agent that a session keeps. */
export const maxUserAgentLength = 200;

/** In SQL: when a session `s` ends. */
export const endOfSession = `least(s.created_at + interval '${maxDays} days',
  s.last_used_at + interval '${idleHours} hours')`;

/** What the look-up of a session finds. */
export interface FoundSession {
  /** What its viewer has for a credential. */
  readonly credential: string;
  readonly account: string;
  readonly member: string | null;
  readonly role: Role;
  readonly validForMs: number;
}

/**
 * Makes the statement that finds a session by its hash `$1`. It notes the use at most once a minute: other
 * look-ups write nothing. If `$2` is false, this look-up is no use, as that of a stream that is open.
 * @param columns those of {@link FoundSession} but the last
 * @param from the session as `s`, and what else the columns need
 * @param end when it ends
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

/** Makes the statement that keeps the newest `$2` rows of an owner `$1`. */
export function trimStatement(table: string, owner: string): Statement {
  return {
    name: `${table}_trim`,
    text: `
    delete from ${table} where (${owner}, id) <= ($1, (
      select l.id from ${table} l where (l.${owner}, l.id) <= ($1, '~') and l.${owner} >= $1
       order by l.${owner} desc, l.id desc offset $2 limit 1)) and ${owner} >= $1`,
  };
}

/**
 * Makes the viewer of a session.
 * @param own what the session may do before the role of its holder lowers it
 */
export function viewerOfSession(
  session: FoundSession | undefined,
  kind: Viewer['kind'],
  own: Permissions,
): Authenticated | AuthFailure {
  if (!session) return 'invalid_credential';
  const { credential, account, member, role, validForMs } = session;
  if (validForMs <= 0) return 'expired_credential';
  const permissions = effectivePermissions(own, role);
  return { viewer: { credential, kind, account, member, permissions }, validForMs };
}
