// The settings of the processes that `npm start` and the commands run on a DATA_DIR, and the keys among them.
//
// A setting of the user is never replaced. A lost key is never replaced either: if the database has secrets that it
// sealed, the start fails and names the file (H284).
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  baseUrlWarning,
  type Config,
  type Environment,
  isSet,
  publicListener,
  type ServiceConfig,
} from '../../src/config/config.js';
import { CannotOpen, type SealedSecret, Sealer } from '../../src/domain/values/sealer.js';
import { OperatorError } from '../../src/process/explain-error.js';
import {
  createPrivateFile,
  databaseUrlFile,
  ensureDataDir,
  existingReceiverAuthority,
  holdsDatabase,
  readIfPresent,
} from './data-dir.js';
import { connect } from './postgres-server.js';

type Listeners = Pick<Config, 'host' | 'internalHost'>;

/** Settings for a trial: deliveries to this machine, and payments that move no money. */
const trialSettings = {
  // Both families: one blocked address rejects the host, and localhost often has both.
  WEBHOOKS_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8,::1/128',
  SANDBOX_PAYMENTS: '1',
} as const;

/**
 * Returns the settings that the embedded default adds for the processes of this `DATA_DIR`:
 * - its database and its keys
 * - trust in receivers on this machine
 * - the trial settings, if only this machine can reach the listeners
 *
 * Never replaces a setting of the user.
 * @param environment the settings of the user
 * @param database resolves with the URL of the database once it runs
 * @throws OperatorError if the keys are missing and secrets are sealed with them
 */
export async function embeddedEnvironment(
  config: Pick<Config, 'dataDir' | 'baseUrl'> & Listeners,
  environment: Environment,
  database: () => Promise<string>,
): Promise<Record<string, string>> {
  const home = ensureDataDir(config.dataDir);
  const added: Record<string, string> = {
    DATA_DIR: home,
    DATABASE_URL_FILE: databaseUrlFile(home),
  };

  if (!isSet(environment, 'SECRET_KEY')) {
    added['SECRET_KEY_FILE'] = await ensureSecretKey(home, database);
  }

  if (!isSet(environment, 'WEBHOOKS_CA_FILE')) {
    added['WEBHOOKS_CA_FILE'] = await receiverAuthority(home);
  }

  // Set explicitly, because the processes warn about a default beside DATABASE_URL.
  if (!isSet(environment, 'BASE_URL') && baseUrlWarning(environment, config) === undefined) {
    added['BASE_URL'] = config.baseUrl;
  }

  if (publicListener(config) === undefined) {
    for (const name of unsetTrialSettings(environment)) added[name] = trialSettings[name];
  }

  return added;
}

/** Says that trial settings stay off because other machines reach a listener; undefined if none do. */
export function trialNotice(config: Listeners, environment: Environment): string | undefined {
  const open = publicListener(config);
  const names = unsetTrialSettings(environment);
  if (open === undefined || names.length === 0) return undefined;
  return `${open}: the trial settings ${names.join(' and ')} stay off unless you set them.`;
}

/**
 * Returns the settings of the user for the processes of this `DATA_DIR`. On a terminal they log short
 * lines, unless the user set `LOG_FORMAT`.
 * @param terminal whether the output is a terminal
 */
export function childSettings(
  environment: Environment,
  dataDir: string,
  terminal: boolean,
): Record<string, string | undefined> {
  const readable = terminal && !isSet(environment, 'LOG_FORMAT');
  return { ...environment, ...(readable && { LOG_FORMAT: 'human' }), DATA_DIR: dataDir };
}

function unsetTrialSettings(environment: Environment): (keyof typeof trialSettings)[] {
  const names = Object.keys(trialSettings) as (keyof typeof trialSettings)[];
  return names.filter((name) => !isSet(environment, name));
}

async function receiverAuthority(home: string): Promise<string> {
  const present = existingReceiverAuthority(home);
  if (present !== undefined) return present;
  // Only the first start loads the code that creates certificates, which is large.
  const { ensureReceiverAuthority } = await import('./receiver-authority.js');
  return ensureReceiverAuthority(home);
}

/**
 * Makes sure that the DATA_DIR `home` has a key ring. A new one has a random id, so that it is never taken for
 * a lost key.
 * @param database resolves with the URL of the database of `home` once it runs
 * @returns the file
 * @throws OperatorError if the key ring is missing and secrets are sealed with it
 */
async function ensureSecretKey(home: string, database: () => Promise<string>): Promise<string> {
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
 * Rejects a key with the id of the key that sealed the signing secrets, if it is a different key: deliveries would
 * wait, and it would seal new secrets. A key with a new id passes, as after a loss.
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

/** True if the DATA_DIR `home` has a key ring. A full disk may have left an empty file. */
export function hasSecretKey(home: string): boolean {
  return Boolean(readIfPresent(secretKeyFile(home))?.trim());
}

/** Says what to do about a missing key ring that sealed secrets. */
export function lostKey(home: string): string {
  return (
    `${secretKeyFile(home)} is missing or empty, and signing secrets are sealed with it. Restore ` +
    'the file. If that is not possible: docs/operations.md, "The key is lost"'
  );
}

/** Returns the path of the key ring of the embedded default. */
function secretKeyFile(home: string): string {
  return join(home, 'secret-key');
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
