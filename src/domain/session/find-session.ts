import type { Authenticated, AuthFailure } from '../account/credentials.js';
import { effectivePermissions, keyPermissions, type Role } from '../account/permission.js';
import type { Read, Statement } from '../tx.js';
import { hashSecret, isSecretToken } from './secret-tokens.js';

/** Unused for this long, or this old, a session ends. */
export const idleHours = 12;
export const maxDays = 7;

/** When a session `s` ends. */
export const endOfSession = `least(s.created_at + interval '${maxDays} days',
  s.last_used_at + interval '${idleHours} hours')`;

interface SessionRow {
  readonly id: string;
  readonly account: string;
  readonly member: string;
  readonly role: Role;
  readonly validForMs: number;
}

/** Notes the use of a session at most once a minute: other look-ups write nothing. */
const findStatement: Statement = {
  name: 'session_by_hash',
  text: `
    with found as (
      select s.id, s.account_id as account, s.member_id as member, m.role, s.last_used_at,
             (extract(epoch from ${endOfSession} - now()) * 1000)::float8 as "validForMs"
        from (select * from session where token_sha256 = $1 limit 1) s
       cross join lateral (select role from member where id = s.member_id limit 1) m
    ), used as (
      update session set last_used_at = now()
       where id = any (array(select f.id from found f where f."validForMs" > 0
                               and f.last_used_at <= now() - interval '1 minute'))
    )
    select f.id, f.account, f.member, f.role, f."validForMs" from found f`,
};

/** Finds the member who is signed in with this cookie, in one statement. */
export async function findSession(
  read: Read,
  token: string,
  hash = hashSecret(token),
): Promise<Authenticated | AuthFailure> {
  const [row] = await read.sql<SessionRow>(findStatement, [hash]);
  if (!row) return 'invalid_credential';
  const { id, account, member, role, validForMs } = row;
  if (validForMs <= 0) return 'expired_credential';
  const own = keyPermissions({ level: 'full', webhooksLevel: null, ordersLevel: null });
  const permissions = effectivePermissions(own, role);
  return {
    viewer: { credential: id, kind: 'dashboard', account, member, permissions },
    validForMs,
  };
}

/** Returns why a cookie is refused without a look-up; undefined when it needs one. */
export function refuseSessionFormat(token: string): 'invalid_credential' | undefined {
  return isSecretToken(token) ? undefined : 'invalid_credential';
}
