import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { baseUrlAdvice } from '../base-url-advice.js';
import {
  ConfigError,
  type Environment,
  isGiven,
  loadConfig,
  loadServiceConfig,
  type ServiceConfig,
} from '../config.js';
import { dialRule } from '../domain/endpoint/dial-rule.js';
import { OperatorError } from '../explain.js';
import { databaseUrlFile } from '../launcher/database-path.js';
import { missingDatabase, withEmbedded } from '../launcher/with-embedded.js';
import { openListener } from '../loopback.js';
import { examineFonts } from './examine-fonts.js';
import { examineMail } from './examine-mail.js';
import { examineProxies } from './examine-proxies.js';
import { examinePostgres } from './examine-postgres.js';
import { examineRedis } from './examine-redis.js';
import type { Finding } from './finding.js';

/**
 * Examines what a service depends on: settings, PostgreSQL, migrations, connections, LISTEN, the keys
 * of stored secrets, the queue, the mail server, fonts and who takes payments. Each problem is a
 * finding; nothing is made or migrated. An embedded PostgreSQL that does not run is started for as
 * long as it takes, and that is a finding too.
 */
export async function examine(environment: Environment): Promise<Finding[]> {
  try {
    return isGiven(environment, 'DATABASE_URL')
      ? await examineService(environment, loadServiceConfig(environment))
      : await examineEmbedded(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((detail) => ({ subject: 'settings', level: 'error', detail }));
  }
}

async function examineService(
  environment: Environment,
  config: ServiceConfig,
  embedded?: { readonly remarks: readonly Finding[] },
): Promise<Finding[]> {
  const [proxies, postgres, redis, mail] = await Promise.all([
    examineProxies(config),
    examinePostgres(config),
    config.redisUrl === undefined ? [] : examineRedis(config.redisUrl).then((one) => [one]),
    config.smtpUrl === undefined ? [] : examineMail(config.smtpUrl).then((one) => [one]),
  ]);
  return [
    settingsAreValid,
    ...addressesOf(environment, config),
    ...(embedded ? trialTargetsOf(config) : []),
    ...proxies,
    ...(embedded?.remarks ?? []),
    ...postgres,
    ...redis,
    ...mail,
    await examineFonts(config.pdfFonts),
    paymentsOf(config, embedded !== undefined),
  ];
}

async function examineEmbedded(environment: Environment): Promise<Finding[]> {
  const { dataDir } = loadConfig(environment);
  const missing = missingOf(dataDir, environment);
  if (missing) return [settingsAreValid, missing];
  try {
    return await withEmbedded(
      (config, startedHere) =>
        examineService(environment, config, { remarks: startedHere ? [startedOnly(dataDir)] : [] }),
      environment,
    );
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return [settingsAreValid, { subject: 'database', level: 'error', detail: error.message }];
  }
}

const settingsAreValid: Finding = { subject: 'settings', level: 'ok', detail: 'valid' };

function addressesOf(environment: Environment, config: ServiceConfig): Finding[] {
  const detail = baseUrlAdvice(environment, config);
  return detail === undefined ? [] : [{ subject: 'settings', level: 'warning', detail }];
}

/** Beside a database of its own the embedded default means a trial, which is for one machine. */
function trialTargetsOf(config: ServiceConfig): Finding[] {
  const open = openListener(config);
  const mayDial = dialRule(config.webhooks.allowPrivateTargets);
  if (open === undefined || !['127.0.0.1', '::1'].some(mayDial)) return [];
  const detail = `${open} and WEBHOOKS_ALLOW_PRIVATE_TARGETS opens loopback: any holder of a key can make this machine send requests to itself. Set it to 0, or both hosts to 127.0.0.1`;
  return [{ subject: 'settings', level: 'error', detail }];
}

function paymentsOf(config: ServiceConfig, embedded: boolean): Finding {
  const { sandboxPayments } = config;
  const open = embedded ? openListener(config) : undefined;
  const subject = 'payments';
  if (!sandboxPayments) {
    const detail =
      'SANDBOX_PAYMENTS is 0: the hosted checkout page takes no payments, the shop does';
    return { subject, level: 'ok', detail };
  }
  const detail =
    'SANDBOX_PAYMENTS is 1: anyone with a checkout_url completes its order without paying';
  if (open !== undefined) {
    const advice = 'set SANDBOX_PAYMENTS to 0, or both hosts to 127.0.0.1';
    return { subject, level: 'error', detail: `${open} and ${detail}: ${advice}` };
  }
  return { subject, level: embedded ? 'ok' : 'warning', detail };
}

function startedOnly(dataDir: string): Finding {
  const detail = `the PostgreSQL of ${dataDir} was not running; doctor started it for this check only`;
  return { subject: 'database', level: 'warning', detail };
}

/** What a start would make anew, although it should be there. */
function missingOf(dataDir: string, environment: Environment): Finding | undefined {
  const nowhere = missingDatabase(dataDir);
  if (nowhere !== undefined) return { subject: 'database', level: 'error', detail: nowhere };
  const address = databaseUrlFile(dataDir);
  if (!existsSync(address)) {
    const detail = `${address} is missing, and with it the password of the database. Restore the file`;
    return { subject: 'database', level: 'error', detail };
  }
  const key = join(dataDir, 'secret-key');
  if (!isGiven(environment, 'SECRET_KEY') && !existsSync(key)) {
    const detail = `${key} is missing, and signing secrets are sealed with it. Restore the file`;
    return { subject: 'secrets', level: 'error', detail };
  }
  return undefined;
}
