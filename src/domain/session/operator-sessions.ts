// Sessions of operators. A session has exactly the permissions of the internal credential that opened it: each
// look-up reads both, so it ends when the credential is revoked or expires.
import {
  type Authenticated,
  type AuthFailure,
  joinHolder,
  type Viewer,
} from '../account/credentials.js';
import { keyPermissions, type StoredLevels } from '../account/permission.js';
import { recordChange } from '../audit/audit-log.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import { makeId } from '../values/id.js';
import { hashSecret, makeSecretToken } from './secret-tokens.js';
import { OperatorSession } from './session.entity.js';
import {
  endOfSession,
  lookUpStatement,
  type FoundSession,
  maxUserAgentLength,
  trimStatement,
  viewerOfSession,
  type SigningBrowser,
} from './sessions.js';

/** A new session ends the oldest one beyond this number. */
const sessionsPerCredential = 20;

const trimSessions = trimStatement('operator_session', 'credential_id');

/**
 * Opens a session of an operator and ends the one that the browser had. A credential has at most 20 sessions.
 * @returns the value of its cookie, of which only the hash is stored
 */
export async function openOperatorSession(
  tx: Tx,
  { account, credential }: Pick<Viewer, 'account' | 'credential'>,
  { userAgent, replaced }: SigningBrowser,
): Promise<string> {
  if (replaced !== undefined) await endOperatorSession(tx, replaced);

  const token = makeSecretToken();
  const id = makeId('ops', tx.now);
  await tx.manager.insert(OperatorSession, {
    id,
    credentialId: credential,
    tokenSha256: hashSecret(token),
    userAgent: userAgent.slice(0, maxUserAgentLength),
    createdAt: tx.now,
    lastUsedAt: tx.now,
  });

  await tx.sql(trimSessions, [credential, sessionsPerCredential]);
  recordChange(tx, { action: 'session_opened', account, resource: id });

  return token;
}

const findStatement = lookUpStatement(
  'operator_session',
  `c.id as credential, c.account_id as account, c.member_id as member, holder.role, c.level,
             c.webhooks_level as "webhooksLevel", c.orders_level as "ordersLevel"`,
  `(select * from operator_session where token_sha256 = $1 limit 1) s
       cross join lateral (
         select * from credential c where c.id = s.credential_id and c.kind = 'internal'
            and c.revoked_at is null limit 1) c
       ${joinHolder('c')}`,
  `least(${endOfSession}, c.expires_at)`,
);

/**
 * Finds the internal credential whose holder is signed in with this cookie, in one statement.
 * @param isUse whether the look-up counts as a use of the session
 */
export async function findOperatorSession(
  read: Read,
  token: string,
  hash = hashSecret(token),
  isUse = true,
): Promise<Authenticated | AuthFailure> {
  const [row] = await read.sql<FoundSession & StoredLevels>(findStatement, [hash, isUse]);
  return row ? viewerOfSession(row, 'internal', keyPermissions(row)) : 'invalid_credential';
}

const endStatement: Statement = {
  name: 'operator_session_end',
  text: `
    with ended as (
      delete from operator_session where token_sha256 = $1 returning id, credential_id)
    select e.id, c.account_id as account
      from ended e cross join lateral (
        select account_id from credential where id = e.credential_id limit 1) c`,
};

/** Ends the session of this cookie; does nothing if it has ended already. */
export async function endOperatorSession(tx: Tx, token: string): Promise<void> {
  const [ended] = await tx.sql<{ readonly id: string; readonly account: string }>(endStatement, [
    hashSecret(token),
  ]);
  if (!ended) return;
  tx.credentialsChanged();
  recordChange(tx, { action: 'session_ended', account: ended.account, resource: ended.id });
}
