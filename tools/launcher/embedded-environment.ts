import { baseUrlWarning } from '../../src/config/base-url-warning.js';
import { type Config, type Environment, isSet } from '../../src/config/config.js';
import { publicListener } from '../../src/config/loopback.js';
import { ensureDataDir } from './data-dir.js';
import { databaseUrlFile } from './database-path.js';
import { existingReceiverAuthority } from './receiver-authority-files.js';
import { ensureSecretKey } from './secret-key.js';

type Listeners = Pick<Config, 'host' | 'internalHost'>;

/** Settings for a trial: deliveries to this machine, and payments that move no money. */
const trialSettings = {
  // Both families: one blocked address rejects the host, and localhost often has both.
  WEBHOOKS_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8,::1/128',
  SANDBOX_PAYMENTS: '1',
} as const;

/**
 * The settings that the embedded default adds for the processes of this `DATA_DIR`:
 * - its database and its keys
 * - trust in receivers on this machine
 * - the trial settings, when only this machine can reach the listeners
 *
 * A setting of the user is never replaced.
 * @param environment the settings of the user
 * @param database resolves with the URL of the database, which runs then
 * @throws OperatorError when the keys are missing and secrets are sealed with them
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
  if (!isSet(environment, 'WEBHOOKS_CA_FILE'))
    added['WEBHOOKS_CA_FILE'] = await receiverAuthority(home);
  // Set explicitly: with a database of their own the processes would warn about the default.
  if (!isSet(environment, 'BASE_URL') && baseUrlWarning(environment, config) === undefined) {
    added['BASE_URL'] = config.baseUrl;
  }
  if (publicListener(config) === undefined) {
    for (const name of unset(environment)) added[name] = trialSettings[name];
  }
  return added;
}

/** The notice that trial settings stay off because other machines reach a listener; else undefined. */
export function trialNotice(config: Listeners, environment: Environment): string | undefined {
  const open = publicListener(config);
  const names = unset(environment);
  if (open === undefined || names.length === 0) return undefined;
  return `${open}: the trial settings ${names.join(' and ')} stay off unless you set them.`;
}

function unset(environment: Environment): (keyof typeof trialSettings)[] {
  const names = Object.keys(trialSettings) as (keyof typeof trialSettings)[];
  return names.filter((name) => !isSet(environment, name));
}

async function receiverAuthority(home: string): Promise<string> {
  const present = existingReceiverAuthority(home);
  if (present !== undefined) return present;
  // Loaded only now: the code that creates certificates is large and runs once.
  const { ensureReceiverAuthority } = await import('./receiver-authority.js');
  return ensureReceiverAuthority(home);
}
