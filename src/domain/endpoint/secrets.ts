import { makeId } from '../id.js';
import type { Read, Tx } from '../tx.js';
import { makeSecret, maxOldSecrets, rotationOverlapMs } from './secret.js';

const insertStatement = {
  name: 'endpoint-secret-insert',
  text: `insert into endpoint_secret (id, endpoint_id, key_id, sealed, created_at)
         values ($1, $2, $3, $4, $5)`,
};

const expireCurrent = {
  name: 'endpoint-secret-outdate',
  text: `update endpoint_secret set expires_at = $2 where endpoint_id = $1 and expires_at is null`,
};

const deleteOldStatement = {
  name: 'endpoint-secret-trim',
  text: `delete from endpoint_secret where endpoint_id = $1 and (expires_at <= $2 or id not in (
           select id from endpoint_secret where endpoint_id = $1 order by id desc limit $3))`,
};

const deleteAllStatement = {
  name: 'endpoint-secret-destroy',
  text: `delete from endpoint_secret where endpoint_id = $1`,
};

const findUnderOldKeys = {
  name: 'endpoint-secret-under-old-keys',
  text: `select id, endpoint_id as "endpointId", key_id as "keyId", sealed from endpoint_secret
         where key_id <> $1 order by id limit $2 for update`,
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

/** Adds a secret to an endpoint and returns it. The secret is stored sealed. */
export async function addSecret(tx: Tx, endpointId: string, at: Date): Promise<string> {
  const { secret, secretId, keyId, sealed } = newSecret(tx, endpointId, at);
  await tx.sql(insertStatement, [secretId, endpointId, keyId, sealed, at]);
  return secret;
}

/**
 * Adds a secret to an endpoint whose row the transaction has locked, and returns it. Each old
 * secret signs for 24 hours after its replacement. Of more than ten, the oldest are deleted.
 * @param at later than every earlier rotation, so that ids of secrets sort by age
 */
export async function replaceSecret(tx: Tx, endpointId: string, at: Date): Promise<string> {
  await tx.sql(expireCurrent, [endpointId, new Date(at.getTime() + rotationOverlapMs)]);
  const secret = await addSecret(tx, endpointId, at);
  await tx.sql(deleteOldStatement, [endpointId, at, maxOldSecrets + 1]);
  return secret;
}

/** Permanently deletes every secret of an endpoint. */
export async function deleteSecrets(tx: Tx, endpointId: string): Promise<void> {
  await tx.sql(deleteAllStatement, [endpointId]);
}

/**
 * Seals up to `limit` secrets of older keys again, with the newest key of the ring.
 * @returns how many it sealed; 0 when none is left
 * @throws Error when the ring lacks the key of one of them
 */
export async function resealSecrets(tx: Tx, limit: number): Promise<number> {
  const { sealer } = tx.rules;
  const secrets = await tx.sql<{ id: string; endpointId: string; keyId: string; sealed: Buffer }>(
    findUnderOldKeys,
    [sealer.newestKeyId, limit],
  );
  if (secrets.length === 0) return 0;
  const resealed = secrets.map(({ endpointId, ...secret }) =>
    sealer.seal(sealer.open(secret, endpointId), endpointId),
  );
  const ids = secrets.map(({ id }) => id);
  await tx.sql(replaceSealed, [ids, resealed.map(({ sealed }) => sealed), sealer.newestKeyId]);
  return secrets.length;
}
