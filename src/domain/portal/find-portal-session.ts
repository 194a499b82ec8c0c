import type { Authenticated, AuthFailure } from '../account/credentials.js';
import { effectivePermissions, type Permissions, type Role } from '../account/permission.js';
import { maxDays, idleHours } from '../session/find-session.js';
import { hashSecret } from '../session/secret-tokens.js';
import type { Read, Statement } from '../tx.js';

/** The most that a session in the page of another site may do: it moves no money. */
export const fullPortalPermissions: Permissions = { webhooks: 'write', orders: 'read' };

/** When a portal session `s` ends. */
export const endOfPortalSession = `least(s.created_at + interval '${maxDays} days',
  s.last_used_at + interval '${idleHours} hours')`;

interface PortalSessionRow {
  readonly id: string;
  readonly account: string;
  readonly member: string | null;
  readonly role: Role;
  readonly validForMs: number;
}

/** Notes the use of a session at most once a minute: other look-ups write nothing. */
const findStatement: Statement = {
  name: 'portal_session_by_hash',
  text: `
    with found as (
      select s.id, s.account_id as account, s.member_id as member, s.last_used_at,
             coalesce(s.role, (select m.role from member m where m.id = s.member_id)) as role,
             (extract(epoch from ${endOfPortalSession} - now()) * 1000)::float8 as "validForMs"
        from (select * from portal_session where token_sha256 = $1
               union all
              select * from portal_session where page_token_sha256 = $1 limit 1) s
         -- An erasure by an earlier version leaves sessions behind.
         cross join lateral (select from account a
                              where a.id = s.account_id and a.erased_at is null limit 1) a
    ), used as (
      update portal_session set last_used_at = now()
       where id = any (array(select f.id from found f where f."validForMs" > 0
                               and f.last_used_at <= now() - interval '1 minute'))
    )
    select f.id, f.account, f.member, f.role, f."validForMs" from found f`,
};

/** Finds the portal session of a cookie, or of the token that a page keeps, in one statement. */
export async function findPortalSession(
  read: Read,
  token: string,
  hash = hashSecret(token),
): Promise<Authenticated | AuthFailure> {
  const [row] = await read.sql<PortalSessionRow>(findStatement, [hash]);
  if (!row) return 'invalid_credential';
  const { id, account, member, role, validForMs } = row;
  if (validForMs <= 0) return 'expired_credential';
  const permissions = effectivePermissions(fullPortalPermissions, role);
  return {
    viewer: { credential: id, kind: 'dashboard', account, member, permissions },
    validForMs,
  };
}
