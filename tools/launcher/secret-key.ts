import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ServiceConfig } from '../../src/config/config.js';
import { CannotOpen, type SealedSecret, Sealer } from '../../src/domain/sealer.js';
import { OperatorError } from '../../src/process/explain-error.js';
import { holdsDatabase } from './database-path.js';
import { connect } from './postgres-server.js';
import { readIfPresent, createPrivateFile } from './private-file.js';

/** The file with the key ring of the embedded default. */
function secretKeyFile(home: string): string {
  return join(home, 'secret-key');
}

/** Says whether the DATA_DIR `home` has a key ring. A full disk may have left an empty file. */
export function hasSecretKey(home: string): boolean {
  return Boolean(readIfPresent(secretKeyFile(home))?.trim());
}

/** What to do about a key ring that is missing beside secrets that it sealed. */
export function lostKey(home: string): string {
  return (
    `${secretKeyFile(home)} is missing or empty, and signing secrets are sealed with it. Restore ` +
    'the file. If that is not possible: docs/operations.md, "The key is lost"'
  );
}

/**
 * Makes sure that the DATA_DIR `home` has a key ring. A new one has an id that no other has, so that a lost
 * key is never taken for it.
 * @param database resolves with the URL of the database of `home`, which runs then
 * @returns the file
 * @throws OperatorError when the key ring is missing and secrets are sealed with it
 */
export async function ensureSecretKey(
  home: string,
  database: () => Promise<string>,
): Promise<string> {
  const path = secretKeyFile(home);
  if (hasSecretKey(home)) return path;
  if (holdsDatabase(home) && (await hasSecrets(await database()))) {
    throw new OperatorError(`${lostKey(home)}.`);
  }
  const id = `k${randomBytes(4).toString('hex')}`;
  createPrivateFile(path, `${id}:${randomBytes(32).toString('base64')}\n`);
  return path;
}

/**
 * Refuses a key that has the id of the one that sealed signing secrets, and is another: deliveries would wait,
 * and new secrets would be sealed with it. A key of a new id passes, as after a loss.
 * @throws OperatorError
 */
export async function rejectWrongKey(
  databaseUrl: string,
  [newest]: ServiceConfig['secretKeys'],
): Promise<void> {
  // A URL may name several hosts, which no URL object can hold.
  const client = await connect({ href: databaseUrl }, 'signalpost-secrets');
  try {
    const { rows } = await client.query<SealedSecret & { readonly endpointId: string }>(
      `select s.key_id as "keyId", s.endpoint_id as "endpointId", s.sealed
         from (select min(id) as oldest, max(id) as newest from endpoint_secret where key_id = $1) k
         join endpoint_secret s on s.id in (k.oldest, k.newest)`,
      [newest.id],
    );
    const sealer = new Sealer([newest]);
    const opens = rows.some(
      (secret) => !(sealer.tryOpen(secret, secret.endpointId) instanceof CannotOpen),
    );
    if (rows.length === 0 || opens) return;
  } finally {
    await client.end();
  }
  throw new OperatorError(
    `SECRET_KEY ${newest.id} is not the key that sealed the signing secrets. Restore the right key. If that is ` +
      'not possible: docs/operations.md, "The key is lost".',
  );
}

async function hasSecrets(databaseUrl: string): Promise<boolean> {
  const client = await connect(new URL(databaseUrl), 'signalpost-secrets');
  try {
    const table = `select to_regclass('endpoint_secret') is not null as found`;
    // A first start that was killed may have left a database without tables.
    const { rows } = await client.query<{ found: boolean }>(table);
    if (rows[0]?.found !== true) return false;
    return (await client.query('select 1 from endpoint_secret limit 1')).rows.length > 0;
  } finally {
    await client.end();
  }
}
