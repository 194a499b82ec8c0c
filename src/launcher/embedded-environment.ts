import { baseUrlAdvice } from '../base-url-advice.js';
import { type Config, type Environment, isGiven } from '../config.js';
import { ensureDataDir } from './data-dir.js';
import { databaseUrlFile } from './database-path.js';
import { presentReceiverAuthority } from './receiver-authority-files.js';
import { secretKeyFile } from './secret-key.js';

/**
 * The settings that the embedded default adds for the processes of this `DATA_DIR`: its database,
 * its keys, trust in receivers on this machine, and payments to try it with. What the user set stays as it is.
 * @param environment what the user set
 */
export async function embeddedEnvironment(
  config: Pick<Config, 'dataDir' | 'baseUrl' | 'host'>,
  environment: Environment,
): Promise<Record<string, string>> {
  const home = ensureDataDir(config.dataDir);
  const added: Record<string, string> = {
    DATA_DIR: home,
    DATABASE_URL_FILE: databaseUrlFile(home),
  };
  if (!isGiven(environment, 'SECRET_KEY')) {
    added['SECRET_KEY_FILE'] = secretKeyFile(home);
  }
  if (!isGiven(environment, 'WEBHOOKS_CA_FILE'))
    added['WEBHOOKS_CA_FILE'] = await receiverAuthority(home);
  if (!isGiven(environment, 'WEBHOOKS_ALLOW_PRIVATE_TARGETS')) {
    // Both families: a name is refused when one of its addresses is, and localhost often has both.
    added['WEBHOOKS_ALLOW_PRIVATE_TARGETS'] = '127.0.0.0/8,::1/128';
  }
  // Said, so that the processes see that it is meant: they have a database of their own.
  if (!isGiven(environment, 'BASE_URL') && baseUrlAdvice(environment, config) === undefined) {
    added['BASE_URL'] = config.baseUrl;
  }
  if (!isGiven(environment, 'SANDBOX_PAYMENTS')) added['SANDBOX_PAYMENTS'] = '1';
  return added;
}

async function receiverAuthority(home: string): Promise<string> {
  const present = presentReceiverAuthority(home);
  if (present !== undefined) return present;
  // What makes certificates is large, and needed once.
  const { ensureReceiverAuthority } = await import('./receiver-authority.js');
  return ensureReceiverAuthority(home);
}
