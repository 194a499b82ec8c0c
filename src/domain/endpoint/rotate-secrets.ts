// New signing secrets for endpoints: a rotation that the account asks for, and the replacement of secrets that no key
// of the ring opens. secrets.ts stores them.
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
  /** How many secrets it deleted. */
  readonly removed: number;
}

/**
 * Deletes the signing secrets of an account that no key of the ring can open. Endpoints whose newest secret
 * is among them get a new one.
 * @throws DomainError not_found
 */
export async function replaceLostSecrets(tx: Tx, accountId: string): Promise<LostSecretsReplaced> {
  const { id: account } = await getAccount(tx, accountId);
  const ids = (await tx.sql<{ id: string }>(lockAllStatement, [account])).map(({ id }) => id);
  const secrets = await listSecrets(tx, ids);
  const closed = secrets.filter(
    (secret) => tx.rules.sealer.tryOpen(secret, secret.endpointId) instanceof CannotOpen,
  );
  await removeSecrets(tx, closed);

  const signing = new Set(
    secrets
      .filter((secret) => secret.expiresAt === null && !closed.includes(secret))
      .map(({ endpointId }) => endpointId),
  );

  const replaced: EndpointWithSecret[] = [];

  for (const id of ids.filter((endpointId) => !signing.has(endpointId))) {
    replaced.push(await rotateSigningSecret(tx, account, id));
  }

  return { replaced, removed: closed.length };
}

const lockAllStatement = {
  name: 'endpoint-lock-all',
  text: `select e.id from endpoint e where e.account_id = $1 and e.deleted_at is null
         order by e.id for no key update`,
};
