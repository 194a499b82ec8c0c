import { type Authenticated, type AuthFailure, joinHolder } from '../account/credentials.js';
import type { Permissions } from '../account/permission.js';
import { hashSecret } from '../session/secret-tokens.js';
import { lookUpStatement, type FoundSession, viewerOfSession } from '../session/session-rows.js';
import type { Read } from '../tx.js';

/** The most that a session in the page of another site may do: it moves no money. */
export const fullPortalPermissions: Permissions = { webhooks: 'write', orders: 'read' };

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
 * @param isUse whether the look-up counts as use of the session
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
