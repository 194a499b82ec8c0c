import type { Authenticated, AuthFailure, Viewer } from '../account/credentials.js';
import {
  effectivePermissions,
  keyPermissions,
  type Role,
  type StoredLevels,
} from '../account/permission.js';
import { recordChange } from '../audit/record-change.js';
import { makeId } from '../id.js';
import type { Read, Statement, Tx } from '../tx.js';
import { endOfSession } from './find-session.js';
import { OperatorSession } from './operator-session.entity.js';
import { hashSecret, makeSecretToken } from './secret-tokens.js';
import type { SigningBrowser } from './sessions.js';

/** One more ends the oldest. */
const sessionsPerCredential = 20;
const maxUserAgentLength = 200;

const trimStatement: Statement = {
  name: 'operator_session_trim',
  text: `delete from operator_session where credential_id = $1 and id <= (
           select id from operator_session where credential_id = $1 order by id desc offset $2 limit 1)`,
};

/**
 * Opens a session of an operator and ends the one that the browser had. It is no better than its
 * credential: the look-up reads both. A credential has at most 20.
 * @returns the value of its cookie, which is stored only as its hash
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
  await tx.sql(trimStatement, [credential, sessionsPerCredential]);
  recordChange(tx, { action: 'session_opened', account, resource: id });
  return token;
}

interface Row extends StoredLevels {
  readonly credential: string;
  readonly account: string;
  readonly member: string;
  readonly role: Role;
  readonly validForMs: number;
}

/** Notes the use of a session at most once a minute: other look-ups write nothing. */
const findStatement: Statement = {
  name: 'operator_session_by_hash',
  text: `
    with found as (
      select s.id, c.id as credential, c.account_id as account, c.member_id as member, m.role,
             c.level, c.webhooks_level as "webhooksLevel", c.orders_level as "ordersLevel",
             s.last_used_at,
             (extract(epoch from least(${endOfSession}, c.expires_at) - now()) * 1000)::float8
               as "validForMs"
        from (select * from operator_session where token_sha256 = $1 limit 1) s
       cross join lateral (
         select * from credential c where c.id = s.credential_id and c.kind = 'internal'
            and c.revoked_at is null limit 1) c
       cross join lateral (select role from member where id = c.member_id limit 1) m
    ), used as (
      update operator_session set last_used_at = now()
       where id = any (array(select f.id from found f where f."validForMs" > 0
                               and f.last_used_at <= now() - interval '1 minute'))
    )
    select f.* from found f`,
};

/**
 * Finds the internal credential whose holder is signed in with this cookie, in one statement. A revoked
 * credential has no sessions.
 */
export async function findOperatorSession(
  read: Read,
  token: string,
  hash = hashSecret(token),
): Promise<Authenticated | AuthFailure> {
  const [row] = await read.sql<Row>(findStatement, [hash]);
  if (!row) return 'invalid_credential';
  const { credential, account, member, role, validForMs } = row;
  if (validForMs <= 0) return 'expired_credential';
  const permissions = effectivePermissions(keyPermissions(row), role);
  return { viewer: { credential, kind: 'internal', account, member, permissions }, validForMs };
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

/** Ends the operator's session of this cookie; does nothing when it has ended. */
export async function endOperatorSession(tx: Tx, token: string): Promise<void> {
  const [ended] = await tx.sql<{ readonly id: string; readonly account: string }>(endStatement, [
    hashSecret(token),
  ]);
  if (!ended) return;
  tx.credentialsChanged();
  recordChange(tx, { action: 'session_ended', account: ended.account, resource: ended.id });
}
