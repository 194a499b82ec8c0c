import { type Config, ConfigError, type Environment, loadConfig } from '../config.js';
import { databaseUrlFile } from './cluster.js';
import { ensureDataDir } from './data-dir.js';
import { ensureReceiverAuthority } from './receiver-authority.js';
import { secretKeyFile } from './secret-key.js';

/**
 * The settings that the embedded default adds for the processes of this `DATA_DIR`: its database,
 * its keys, and trust in receivers on this machine. What the user set stays as it is.
 * @param environment what the user set
 */
export async function embeddedEnvironment(
  { dataDir }: Pick<Config, 'dataDir'>,
  environment: Environment,
): Promise<Record<string, string>> {
  const home = ensureDataDir(dataDir);
  const isSet = (name: string) => Boolean(environment[name]);
  const added: Record<string, string> = {
    DATA_DIR: home,
    DATABASE_URL_FILE: databaseUrlFile(home),
  };
  if (!isSet('SECRET_KEY') && !isSet('SECRET_KEY_FILE')) {
    added['SECRET_KEY_FILE'] = secretKeyFile(home);
  }
  if (!isSet('WEBHOOKS_CA_FILE')) added['WEBHOOKS_CA_FILE'] = await ensureReceiverAuthority(home);
  if (!isSet('WEBHOOKS_ALLOW_PRIVATE_TARGETS')) {
    // Both families: a name is refused when one of its addresses is, and localhost often has both.
    added['WEBHOOKS_ALLOW_PRIVATE_TARGETS'] = '127.0.0.0/8,::1/128';
  }
  return added;
}

/** Settings that name a database and keys: what every process but the launcher needs. */
export type CompleteConfig = Config & {
  readonly databaseUrl: string;
  readonly secretKeys: NonNullable<Config['secretKeys']>;
};

/**
 * The settings of `environment` with what the embedded default adds.
 * @throws ConfigError
 */
export async function completeConfig(
  config: Config,
  environment: Environment,
): Promise<CompleteConfig> {
  const added = await embeddedEnvironment(config, environment);
  return requireComplete(loadConfig({ ...environment, ...added }));
}

/**
 * The same settings, known to name a database and keys.
 * @throws ConfigError when one is missing
 */
export function requireComplete(config: Config): CompleteConfig {
  const { databaseUrl, secretKeys } = config;
  const faults: string[] = [];
  if (databaseUrl === undefined) faults.push('DATABASE_URL: must be set here');
  if (secretKeys === undefined) {
    const sample = '<id>:<32 bytes in base64>, for example from: openssl rand -base64 32';
    faults.push(`SECRET_KEY: must be set where DATABASE_URL is: ${sample}`);
  }
  if (databaseUrl === undefined || secretKeys === undefined) throw new ConfigError(faults);
  return { ...config, databaseUrl, secretKeys };
}
