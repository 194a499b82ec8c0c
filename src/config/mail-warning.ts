import { join, resolve } from 'node:path';
import { type Config, type Environment, isSet } from './config.js';

/**
 * The warning for a missing SMTP_URL beside a database of one's own; else undefined. Mails in files
 * count as sent, so no metric shows that they reach no recipient. The embedded PostgreSQL means a trial,
 * and a worker without the role `notify` writes none.
 */
export function mailWarning(
  environment: Environment,
  { dataDir, workerRoles }: Pick<Config, 'dataDir' | 'workerRoles'>,
): string | undefined {
  if (isSet(environment, 'SMTP_URL') || !isSet(environment, 'DATABASE_URL')) return undefined;
  if (!workerRoles.includes('notify')) return undefined;
  const ofTrial = join(dataDir, 'database-url');
  if (environment['DATABASE_URL_FILE'] === ofTrial) return undefined;
  const folder = join(resolve(dataDir), 'mail');
  return `SMTP_URL is not set: workers write mails as files into ${folder}, count them as sent, and no recipient gets them. Set SMTP_URL`;
}
