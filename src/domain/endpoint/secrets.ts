// The secrets of endpoints: signing secrets, private keys (key-pairs.ts), and the values of static headers (headers.ts).
// They are stored sealed, with a key of the ring and bound to their endpoint. Each has the kind of what it is for.
//
// The newest signing secret and the newest private key of an endpoint sign without end. After a rotation the older ones
// sign for 24 more hours, so receivers can change theirs without losing an event.
import type { Read, Tx } from '../transaction/tx.js';
import { makeId, randomBase62 } from '../values/id.js';
import { CannotOpen, type SealedSecret } from '../values/sealer.js';
import type { EndpointSecret } from './endpoint.entity.js';

/** 44 characters decode to 33 bytes of base64, as Standard Webhooks libraries require. */
const randomLength = 44;

/** How long a secret continues to sign after a rotation, in milliseconds. */
export const rotationOverlapMs = 24 * 60 * 60 * 1_000;

/** At most this many older secrets sign in addition to the newest one. */
export const maxOldSecrets = 10;

/** What a secret is for. */
type SecretKind = EndpointSecret['kind'];

const nounOf: Readonly<Record<SecretKind, string>> = {
  signing: 'signing secret',
  headers: 'headers',
  ed25519: 'private key',
};

/** Makes a signing secret: `whsec_` and 44 random characters of [A-Za-z0-9]. */
export function makeSecret(): string {
  return `whsec_${randomBase62(randomLength)}`;
}

const insertStatement = {
  name: 'endpoint-secret-insert',
  text: `insert into endpoint_secret (id, endpoint_id, kind, key_id, sealed, public_key, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)`,
};

const expireCurrent = {
  name: 'endpoint-secret-outdate',
  text: `update endpoint_secret set expires_at = $2
         where endpoint_id = $1 and expires_at is null and kind = $3`,
};

const deleteOldStatement = {
  name: 'endpoint-secret-trim',
  text: `delete from endpoint_secret
         where endpoint_id = $1 and kind = $4 and (expires_at <= $2 or id not in (
           select id from endpoint_secret
            where endpoint_id = $1 and kind = $4 order by id desc limit $3))`,
};

const findHeaders = {
  name: 'endpoint-headers-find',
  text: `select endpoint_id as "endpointId", key_id as "keyId", sealed from endpoint_secret
         where endpoint_id = any ($1::text[]) and kind = 'headers'`,
};

const deleteHeaders = {
  name: 'endpoint-headers-remove',
  text: `delete from endpoint_secret where endpoint_id = any ($1::text[]) and kind = 'headers'`,
};

const insertHeaders = {
  name: 'endpoint-headers-insert',
  text: `insert into endpoint_secret (id, endpoint_id, kind, key_id, sealed, created_at)
         values ($1, $2, 'headers', $3, $4, $5)`,
};

const findPublicKeysStatement = {
  name: 'endpoint-public-keys-find',
  text: `select endpoint_id as "endpointId", public_key as "publicKey", created_at as "createdAt",
                expires_at as "expiresAt"
           from endpoint_secret
          where endpoint_id = any ($1::text[]) and kind = 'ed25519'
            and (expires_at is null or expires_at > now())
          order by endpoint_id, id desc`,
};

const deletePrivateKeys = {
  name: 'endpoint-private-keys-remove',
  text: `delete from endpoint_secret where endpoint_id = $1 and kind = 'ed25519'`,
};

const deleteAllStatement = {
  name: 'endpoint-secret-destroy',
  text: `delete from endpoint_secret where endpoint_id = $1`,
};

const storedColumns = `id, endpoint_id as "endpointId", kind, key_id as "keyId", sealed,
                expires_at as "expiresAt"`;

const findUnderOldKeys = {
  name: 'endpoint-secret-under-old-keys',
  text: `select ${storedColumns} from endpoint_secret
         where key_id <> $1 and id > $3 order by id limit $2 for update`,
};

const findByEndpoints = {
  name: 'endpoint-secret-by-endpoints',
  text: `select ${storedColumns} from endpoint_secret
         where endpoint_id = any ($1::text[]) order by endpoint_id, id desc`,
};

const deleteStatement = {
  name: 'endpoint-secret-remove',
  text: `delete from endpoint_secret where id = any ($1::text[])`,
};

const replaceSealed = {
  name: 'endpoint-secret-replace-sealed',
  text: `update endpoint_secret s set key_id = $3, sealed = r.sealed
         from unnest($1::text[], $2::bytea[]) r (id, sealed)
         where s.id = any ($1::text[]) and s.id = r.id`,
};

const countByKey = {
  name: 'endpoint-secret-count-by-key',
  text: `select key_id as "keyId", count(*)::int as count from endpoint_secret group by key_id`,
};

/** Returns how many secrets each key of the ring seals. Keys that seal none are absent. */
export async function secretsByKey(read: Read): Promise<ReadonlyMap<string, number>> {
  const rows = await read.sql<{ keyId: string; count: number }>(countByKey, []);
  return new Map(rows.map(({ keyId, count }) => [keyId, count]));
}

/** A new secret, and its row. */
interface NewSecret {
  readonly secret: string;
  readonly secretId: string;
  readonly keyId: string;
  readonly sealed: Buffer;
}

/** Makes a secret for an endpoint. Only its sealed form is stored. */
export function newSecret({ rules }: Tx, endpointId: string, at: Date): NewSecret {
  const secret = makeSecret();
  return { secret, secretId: makeId('sec', at), ...rules.sealer.seal(secret, endpointId) };
}

/** A secret that signs, before it is sealed. */
interface NewSigner {
  readonly kind: 'signing' | 'ed25519';
  readonly text: string;
  readonly publicKey: string | null;
}

/** Adds a secret to an endpoint and returns it. The secret is stored sealed. */
export async function addSecret(tx: Tx, endpointId: string, at: Date): Promise<string> {
  const secret = makeSecret();
  await add(tx, endpointId, at, { kind: 'signing', text: secret, publicKey: null });
  return secret;
}

/**
 * Adds a secret to an endpoint whose row the transaction has locked, and returns it. Each old
 * secret signs for 24 hours after its replacement. Of more than ten, the oldest are deleted.
 * @param at later than every earlier rotation, so that ids of secrets sort by age
 */
export async function replaceSecret(tx: Tx, endpointId: string, at: Date): Promise<string> {
  const secret = makeSecret();
  await replace(tx, endpointId, at, { kind: 'signing', text: secret, publicKey: null });
  return secret;
}

/** A key pair as text. */
export interface KeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** Adds a key pair to an endpoint as {@link replaceSecret} adds a secret. The private key is stored sealed. */
export async function replacePrivateKey(
  tx: Tx,
  endpointId: string,
  at: Date,
  { privateKey, publicKey }: KeyPair,
): Promise<void> {
  await replace(tx, endpointId, at, { kind: 'ed25519', text: privateKey, publicKey });
}

async function replace(tx: Tx, endpointId: string, at: Date, signer: NewSigner): Promise<void> {
  const { kind } = signer;
  await tx.sql(expireCurrent, [endpointId, new Date(at.getTime() + rotationOverlapMs), kind]);
  await add(tx, endpointId, at, signer);
  await tx.sql(deleteOldStatement, [endpointId, at, maxOldSecrets + 1, kind]);
}

async function add(tx: Tx, endpointId: string, at: Date, signer: NewSigner): Promise<void> {
  const { kind, text, publicKey } = signer;
  const { keyId, sealed } = tx.rules.sealer.seal(text, endpointId);
  const values = [makeId('sec', at), endpointId, kind, keyId, sealed, publicKey, at];
  await tx.sql(insertStatement, values);
}

/** A public key whose private key signs. */
export interface PublicKey {
  /** `whpk_` and base64. */
  readonly publicKey: string;
  readonly createdAt: Date;
  /** When its private key stops signing; null for the newest one. */
  readonly expiresAt: Date | null;
}

/** Returns the public keys of these endpoints, the newest of each endpoint first. */
export function findPublicKeys(
  read: Pick<Read, 'sql'>,
  endpointIds: readonly string[],
): Promise<(PublicKey & { readonly endpointId: string })[]> {
  return read.sql(findPublicKeysStatement, [endpointIds]);
}

/** Permanently deletes the key pairs of an endpoint. */
export async function removePrivateKeys(tx: Tx, endpointId: string): Promise<void> {
  await tx.sql(deletePrivateKeys, [endpointId]);
}

/** Returns the sealed headers of these endpoints, one row for each that has any. */
export function findSealedHeaders(
  read: Read,
  endpointIds: readonly string[],
): Promise<(SealedSecret & { readonly endpointId: string })[]> {
  return read.sql(findHeaders, [endpointIds]);
}

/** Seals `text` as the headers of an endpoint, whose row the transaction has locked, in place of those before. */
export async function storeSealedHeaders(tx: Tx, endpointId: string, text: string): Promise<void> {
  const { keyId, sealed } = tx.rules.sealer.seal(text, endpointId);
  await removeSealedHeaders(tx, [endpointId]);
  await tx.sql(insertHeaders, [makeId('sec', tx.now), endpointId, keyId, sealed, tx.now]);
}

/** Permanently deletes the sealed headers of these endpoints. */
export async function removeSealedHeaders(tx: Tx, endpointIds: readonly string[]): Promise<void> {
  await tx.sql(deleteHeaders, [endpointIds]);
}

/** Permanently deletes every secret of an endpoint. */
export async function deleteSecrets(tx: Tx, endpointId: string): Promise<void> {
  await tx.sql(deleteAllStatement, [endpointId]);
}

/** A secret as it is stored. */
export interface StoredSecret extends SealedSecret {
  readonly id: string;
  readonly endpointId: string;
  readonly kind: SecretKind;
  /** Set for signing secrets and private keys that have a newer one. */
  readonly expiresAt: Date | null;
}

/** Returns the secrets of these endpoints, the newest of each endpoint first. */
export function listSecrets(read: Read, endpointIds: readonly string[]): Promise<StoredSecret[]> {
  return read.sql<StoredSecret>(findByEndpoints, [endpointIds]);
}

/** Permanently deletes these secrets. */
export async function removeSecrets(tx: Tx, secrets: readonly StoredSecret[]): Promise<void> {
  await tx.sql(deleteStatement, [secrets.map(({ id }) => id)]);
}

/** What one call of {@link resealSecrets} did. */
interface Resealed {
  readonly resealed: number;
  /** One line for each secret that no key of the ring opens; it stays as it is. */
  readonly closed: readonly string[];
  /** The last secret that it looked at, for the next call; undefined when none is left. */
  readonly last: string | undefined;
}

/**
 * Seals up to `limit` secrets of older keys again, with the newest key of the ring. Skips those that no
 * key of the ring opens.
 * @param after the last secret of the call before; '' for the first call
 */
export async function resealSecrets(tx: Tx, limit: number, after: string): Promise<Resealed> {
  const { sealer } = tx.rules;
  const keyId = sealer.newestKeyId;
  const secrets = await tx.sql<StoredSecret>(findUnderOldKeys, [keyId, limit, after]);
  const ids: string[] = [];
  const resealed: Buffer[] = [];
  const closed: string[] = [];

  for (const secret of secrets) {
    const { id, endpointId, kind } = secret;
    const opened = sealer.tryOpen(secret, endpointId);
    if (opened instanceof CannotOpen) {
      closed.push(`Cannot open the ${nounOf[kind]} of ${endpointId}: ${opened.message}.`);
    } else {
      ids.push(id);
      resealed.push(sealer.seal(opened, endpointId).sealed);
    }
  }

  if (ids.length > 0) await tx.sql(replaceSealed, [ids, resealed, keyId]);

  return { resealed: ids.length, closed, last: secrets.at(-1)?.id };
}
