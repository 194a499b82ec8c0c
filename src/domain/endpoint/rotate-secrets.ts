// New signing secrets and key pairs for endpoints: rotations that the account asks for, and the replacement of those that
// no key of the ring opens, and of headers with them. secrets.ts stores them.
//
// A signing secret is shown once, when it is made; the database has only its sealed form. A crash leaves all of it or
// nothing: each function runs in the transaction of its caller.
import { getAccount } from '../account/accounts.js';
import { recordChange } from '../audit/audit-log.js';
import { DomainError } from '../errors.js';
import { singleRow } from '../transaction/rows.js';
import type { Tx } from '../transaction/tx.js';
import { CannotOpen } from '../values/sealer.js';
import { type EndpointWithSecret, lockEndpoint, setUpdatedAt } from './change-endpoint.js';
import type { EndpointView } from './endpoint.entity.js';
import { endpointColumns } from './endpoints.js';
import { forgetHeaders, type ForgottenHeaders } from './headers.js';
import { currentPublicKey, publicKeyChange, rotateKeyPair } from './key-pairs.js';
import { listSecrets, removeSecrets, replaceSecret, type StoredSecret } from './secrets.js';

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

/**
 * Gives an endpoint, active or not, a new key pair. The older ones also sign for 24 hours.
 * @throws DomainError not_found; state_conflict if the endpoint does not use a key pair
 */
export async function rotatePublicKey(tx: Tx, account: string, id: string): Promise<EndpointView> {
  await lockEndpoint(tx, account, id);
  const from = await currentPublicKey(tx, id);
  if (from === null) {
    const detail = 'The endpoint has no public key. Turn on the signature with a public key first.';
    throw new DomainError('state_conflict', detail);
  }

  return (await addKeyPair(tx, account, id, from)).endpoint;
}

/** An endpoint with the public key of its new key pair. */
interface EndpointWithPublicKey {
  readonly endpoint: EndpointView;
  readonly publicKey: string;
}

/** @param from the public key before; null if it was lost */
async function addKeyPair(
  tx: Tx,
  account: string,
  id: string,
  from: string | null,
): Promise<EndpointWithPublicKey> {
  const endpoint = await singleRow<EndpointView>(tx, touchStatement, [id, tx.now]);
  const publicKey = await rotateKeyPair(tx, id, endpoint.updatedAt);
  const changes = [publicKeyChange(from, publicKey)];
  recordChange(tx, { action: 'public_key_rotated', account, resource: id, changes });
  return { endpoint, publicKey };
}

const touchStatement = {
  name: 'endpoint-touch',
  text: `update endpoint set ${setUpdatedAt} where id = $1 returning ${endpointColumns}`,
};

/** What {@link replaceLostSecrets} did. */
export interface LostSecretsReplaced {
  /** The endpoints that got a secret. */
  readonly replaced: readonly EndpointWithSecret[];
  /** How many signing secrets and private keys it deleted. */
  readonly removed: number;
  /** The endpoints that got a key pair. */
  readonly publicKeys: readonly EndpointWithPublicKey[];
  /** The headers whose values it deleted. They are not sent until the account sets them again. */
  readonly headers: readonly ForgottenHeaders[];
}

/**
 * Deletes the signing secrets, private keys and headers of an account that no key of the ring can open. Endpoints whose
 * newest signing secret or private key is among them get a new one.
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

  const publicKeys: EndpointWithPublicKey[] = [];

  for (const { endpointId } of closed.filter(isCurrentPrivateKey)) {
    publicKeys.push(await addKeyPair(tx, account, endpointId, null));
  }

  return { replaced, removed: closed.length - closedHeaders.length, publicKeys, headers };
}

function isCurrentPrivateKey({ kind, expiresAt }: StoredSecret): boolean {
  return kind === 'ed25519' && expiresAt === null;
}

const lockAllStatement = {
  name: 'endpoint-lock-all',
  text: `select e.id from endpoint e where e.account_id = $1 and e.deleted_at is null
         order by e.id for no key update`,
};
