import { existsSync } from 'node:fs';
import { baseUrlWarning } from '../../src/config/base-url-warning.js';
import {
  ConfigError,
  type Environment,
  isSet,
  loadConfig,
  loadServiceConfig,
  type ServiceConfig,
} from '../../src/config/config.js';
import { mailWarning } from '../../src/config/mail-warning.js';
import { createEgressPolicy } from '../../src/domain/endpoint/egress-policy.js';
import { OperatorError } from '../../src/process/explain-error.js';
import { databaseUrlFile } from '../launcher/database-path.js';
import { hasSecretKey, lostKey } from '../launcher/secret-key.js';
import { missingDatabase, withEmbedded } from '../launcher/with-embedded.js';
import { publicListener } from '../../src/config/loopback.js';
import { checkFonts } from './check-fonts.js';
import { checkMail } from './check-mail.js';
import { checkProxies } from './check-proxies.js';
import { checkPostgres } from './check-postgres.js';
import { checkRedis } from './check-redis.js';
import { type Finding, ok, problem, warning } from './finding.js';

/**
 * Checks everything that the service depends on: settings, PostgreSQL, migrations, connections,
 * LISTEN, keys of stored secrets, queue, mail server, fonts and payments. Each problem is a finding.
 * Creates and migrates nothing. Starts an embedded PostgreSQL that does not run for the duration of
 * the checks, and reports that as a finding.
 */
export async function runDoctor(environment: Environment): Promise<Finding[]> {
  try {
    return isSet(environment, 'DATABASE_URL')
      ? await checkService(environment, loadServiceConfig(environment))
      : await checkEmbedded(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((detail) => problem('settings', detail));
  }
}

async function checkService(
  environment: Environment,
  config: ServiceConfig,
  embedded?: { readonly notices: readonly Finding[] },
): Promise<Finding[]> {
  const [proxies, postgres, redis, mail] = await Promise.all([
    checkProxies(config),
    checkPostgres(config),
    config.redisUrl === undefined ? [] : checkRedis(config.redisUrl).then((finding) => [finding]),
    config.smtpUrl === undefined ? [] : checkMail(config.smtpUrl).then((finding) => [finding]),
  ]);
  return [
    settingsAreValid,
    ...checkBaseUrl(environment, config),
    ...(embedded ? checkTrialTargets(config) : []),
    ...proxies,
    ...(embedded?.notices ?? []),
    ...postgres,
    ...redis,
    ...mail,
    ...(embedded ? [] : checkMailFolder(environment, config)),
    await checkFonts(config.pdfFonts),
    checkPayments(config, embedded !== undefined),
  ];
}

async function checkEmbedded(environment: Environment): Promise<Finding[]> {
  const { dataDir } = loadConfig(environment);
  const missing = missingFiles(dataDir, environment);
  if (missing) return [settingsAreValid, missing];
  try {
    return await withEmbedded(
      (config, startedHere) =>
        checkService(environment, config, {
          notices: startedHere ? [startedForCheck(dataDir)] : [],
        }),
      environment,
    );
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return [settingsAreValid, problem('database', error.message)];
  }
}

const settingsAreValid = ok('settings', 'valid');

function checkBaseUrl(environment: Environment, config: ServiceConfig): Finding[] {
  const detail = baseUrlWarning(environment, config);
  return detail === undefined ? [] : [warning('settings', detail)];
}

/** Warns of mails that become files. */
function checkMailFolder(environment: Environment, config: ServiceConfig): Finding[] {
  const detail = mailWarning(environment, config);
  return detail === undefined ? [] : [warning('mail', detail)];
}

/** The embedded database means a trial, which no other machine should reach. */
function checkTrialTargets(config: ServiceConfig): Finding[] {
  const open = publicListener(config);
  const mayConnect = createEgressPolicy(config.webhooks.allowPrivateTargets);
  if (open === undefined || !['127.0.0.1', '::1'].some((address) => mayConnect(address))) return [];
  const detail = `${open} and WEBHOOKS_ALLOW_PRIVATE_TARGETS allows loopback: any holder of a key can make this machine send requests to itself. Set it to 0, or both hosts to 127.0.0.1`;
  return [problem('settings', detail)];
}

function checkPayments(config: ServiceConfig, embedded: boolean): Finding {
  const { sandboxPayments } = config;
  const open = embedded ? publicListener(config) : undefined;
  if (!sandboxPayments) {
    return ok(
      'payments',
      'SANDBOX_PAYMENTS is 0: the shop takes payments, the hosted checkout page does not',
    );
  }
  const detail =
    'SANDBOX_PAYMENTS is 1: anyone with a checkout_url completes its order without paying';
  if (open !== undefined) {
    const advice = 'set SANDBOX_PAYMENTS to 0, or both hosts to 127.0.0.1';
    return problem('payments', `${open} and ${detail}: ${advice}`);
  }
  return (embedded ? ok : warning)('payments', detail);
}

function startedForCheck(dataDir: string): Finding {
  const detail = `the PostgreSQL of ${dataDir} was not running; doctor started it for this check only`;
  return warning('database', detail);
}

/** Finds files that a start would replace with new ones although the data needs the old ones. */
function missingFiles(dataDir: string, environment: Environment): Finding | undefined {
  const missingDatabaseDetail = missingDatabase(dataDir);
  if (missingDatabaseDetail !== undefined) return problem('database', missingDatabaseDetail);
  const address = databaseUrlFile(dataDir);
  if (!existsSync(address)) {
    const detail = `${address} is missing, and with it the password of the database. Restore the file`;
    return problem('database', detail);
  }
  if (!isSet(environment, 'SECRET_KEY') && !hasSecretKey(dataDir)) {
    return problem('secrets', lostKey(dataDir));
  }
  return undefined;
}
