import { type Authenticated, type AuthFailure, joinHolder } from '../account/credentials.js';
import { keyPermissions } from '../account/permission.js';
import type { Read } from '../tx.js';
import { hashSecret, isSecretToken } from './secret-tokens.js';
import { lookUpStatement, type FoundSession, viewerOfSession } from './session-rows.js';

const findStatement = lookUpStatement(
  'session',
  's.id as credential, s.account_id as account, s.member_id as member, holder.role',
  `(select * from session where token_sha256 = $1 limit 1) s
   ${joinHolder('s')}`,
);

const own = keyPermissions({ level: 'full', webhooksLevel: null, ordersLevel: null });

/**
 * Finds the member who is signed in with this cookie, in one statement.
 * @param isUse whether the look-up counts as use of the session
 */
export async function findSession(
  read: Read,
  token: string,
  hash = hashSecret(token),
  isUse = true,
): Promise<Authenticated | AuthFailure> {
  const [row] = await read.sql<FoundSession>(findStatement, [hash, isUse]);
  return viewerOfSession(row, 'dashboard', own);
}

/** Returns why a cookie is refused without a look-up; undefined when it needs one. */
export function refuseSessionFormat(token: string): 'invalid_credential' | undefined {
  return isSecretToken(token) ? undefined : 'invalid_credential';
}
