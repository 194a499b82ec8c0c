// New signing secrets for endpoints: a rotation that the account asks for, and the replacement of secrets that no key
// of the ring opens, and of headers with them. secrets.ts stores them.
//
// The secret is shown once, when it is made; the database has only its sealed form. A crash leaves all of it or
// nothing: each function runs in the transaction of its caller.
import { getAccount } from '../account/accounts.js';
import { recordChange } from '../audit/audit-log.js';
import { singleRow } from '../transaction/rows.js';
import type { Tx } from '../transaction/tx.js';
import { CannotOpen } from '../values/sealer.js';
import { type EndpointWithSecret, lockEndpoint, setUpdatedAt } from './change-endpoint.js';
import type { EndpointView } from './endpoint.entity.js';
import { endpointColumns } from './endpoints.js';
import { forgetHeaders, type ForgottenHeaders } from './headers.js';
import { listSecrets, removeSecrets, replaceSecret } from './secrets.js';

/**
 * Adds a signing secret to an endpoint, active or not, and returns it. The old secrets also sign
 * for 24 hours.
 * @throws DomainError not_found
 */
export async function rotateSigningSecret(
  tx: Tx,
  account: string,
  id: string,
): Promise<EndpointWithSecret> {
  await lockEndpoint(tx, account, id);
  const endpoint = await singleRow<EndpointView>(tx, touchStatement, [id, tx.now]);
  recordChange(tx, { action: 'signing_secret_rotated', account, resource: id });
  return { endpoint, signingSecret: await replaceSecret(tx, id, endpoint.updatedAt) };
}

const touchStatement = {
  name: 'endpoint-touch',
  text: `update endpoint set ${setUpdatedAt} where id = $1 returning ${endpointColumns}`,
};

/** What {@link replaceLostSecrets} did. */
export interface LostSecretsReplaced {
  /** The endpoints that got a secret. */
  readonly replaced: readonly EndpointWithSecret[];
  /** How many signing secrets it deleted. */
  readonly removed: number;
  /** The headers whose values it deleted. They are not sent until the account sets them again. */
  readonly headers: readonly ForgottenHeaders[];
}

/**
 * Deletes the signing secrets and headers of an account that no key of the ring can open. Endpoints whose newest
 * signing secret is among them get a new one.
 * @throws DomainError not_found
 */
export async function replaceLostSecrets(tx: Tx, accountId: string): Promise<LostSecretsReplaced> {
  const { id: account } = await getAccount(tx, accountId);
  const ids = (await tx.sql<{ id: string }>(lockAllStatement, [account])).map(({ id }) => id);
  const secrets = await listSecrets(tx, ids);
  const closed = secrets.filter(
    (secret) => tx.rules.sealer.tryOpen(secret, secret.endpointId) instanceof CannotOpen,
  );
  const closedHeaders = closed.filter(({ kind }) => kind === 'headers');
  const headers = await forgetHeaders(
    tx,
    closedHeaders.map(({ endpointId }) => endpointId),
  );
  await removeSecrets(tx, closed);

  const signing = new Set(
    secrets
      .filter(({ kind, expiresAt }) => kind === 'signing' && expiresAt === null)
      .filter((secret) => !closed.includes(secret))
      .map(({ endpointId }) => endpointId),
  );

  const replaced: EndpointWithSecret[] = [];

  for (const id of ids.filter((endpointId) => !signing.has(endpointId))) {
    replaced.push(await rotateSigningSecret(tx, account, id));
  }

  return { replaced, removed: closed.length - closedHeaders.length, headers };
}

const lockAllStatement = {
  name: 'endpoint-lock-all',
  text: `select e.id from endpoint e where e.account_id = $1 and e.deleted_at is null
         order by e.id for no key update`,
};
