import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceConfig } from '../config/config.js';
import { Database } from '../database/database.js';
import { hostUrls } from '../database/database-hosts.js';
import { Primary } from '../database/primary.js';
import { deriveKey, Sealer, type SecretKey } from '../domain/sealer.js';
import type { Actor } from '../domain/actor.js';
import type { DomainRules } from '../domain/rules.js';
import { isUnavailable } from '../domain/unavailable.js';
import type { Wakeup } from '../domain/wakeup.js';
import { errorMessage } from './explain-error.js';
import type { Logger } from './log.js';

// The contract fixes both: ±10 % jitter, and at least 10 failed attempts before an endpoint is
// disabled.
const jitter = 0.1;
const disableAfterFailures = 10;

/** The settings in the form that the domain needs. */
function domainRules(config: ServiceConfig): DomainRules {
  const { secretKeys, webhooks, baseUrl, endpointsPerAccount, operatorAccount } = config;
  const [newest, ...older] = secretKeys;
  return {
    sealer: new Sealer(secretKeys),
    privateTargets: webhooks.allowPrivateTargets,
    cursorKeys: [cursorKeyOf(newest), ...older.map(cursorKeyOf)],
    linkKeys: [linkKeyOf(newest), ...older.map(linkKeyOf)],
    baseUrl,
    retry: {
      delaysMs: webhooks.retryScheduleMs,
      jitter,
      disableAfterMs: webhooks.disableAfterMs,
      disableAfterFailures,
    },
    endpointsPerAccount,
    operatorAccount,
    random: Math.random,
  };
}

function cursorKeyOf(key: SecretKey): Buffer {
  return deriveKey(key, 'list cursors');
}

function linkKeyOf(key: SecretKey): Buffer {
  return deriveKey(key, 'document links');
}

export interface OpenDatabaseOptions {
  /** Appears in pg_stat_activity as `signalpost-<name>`. */
  readonly name: string;
  readonly log: Logger;
  /** Who makes the changes of transactions that do not say it. */
  readonly actor?: Actor;
  readonly wake?: (wakeups: readonly Wakeup[]) => void;
  readonly abandoned?: (records: number) => void;
  readonly credentialsChanged?: () => void;
  /** Server settings for every connection. */
  readonly serverSettings?: Readonly<Record<string, string>>;
  /** PostgreSQL cancels a statement that runs longer. */
  readonly statementTimeoutMs?: number;
  /** A pooler in transaction mode to connect to instead of PostgreSQL. */
  readonly poolerUrl?: string | undefined;
}

/**
 * Opens the database of this process.
 * @throws SchemaMismatch when migrations are missing
 */
export function openDatabase(
  config: ServiceConfig,
  options: OpenDatabaseOptions,
): Promise<Database> {
  Primary.of(hostUrls(config.databaseUrl)).onChange = (host) =>
    options.log.warn({ host }, 'another host of the database is the primary');
  return Database.open({
    url: options.poolerUrl ?? config.databaseUrl,
    isPooler: options.poolerUrl !== undefined,
    pool: config.databasePool,
    applicationName: `signalpost-${options.name}`,
    rules: domainRules(config),
    onIdleError: (error) => options.log.warn({ err: error }, 'database connection lost'),
    ...(options.wake && { wake: options.wake }),
    ...(options.abandoned && { abandoned: options.abandoned }),
    ...(options.credentialsChanged && { credentialsChanged: options.credentialsChanged }),
    ...(options.serverSettings && { serverSettings: options.serverSettings }),
    ...(options.statementTimeoutMs !== undefined && {
      statementTimeoutMs: options.statementTimeoutMs,
    }),
  });
}

const retryIntervalMs = 1_000;

/**
 * As {@link openDatabase}, but retries every second while PostgreSQL does not answer, for at most
 * DATABASE_WAIT. Errors that waiting cannot fix, such as a wrong password, are thrown at once.
 */
export async function openDatabaseWhenReady(
  config: ServiceConfig,
  options: OpenDatabaseOptions,
): Promise<Database> {
  const deadline = performance.now() + config.databaseWaitMs;
  for (;;) {
    try {
      return await openDatabase(config, options);
    } catch (error) {
      if (!isUnavailable(error) || performance.now() + retryIntervalMs > deadline) throw error;
      options.log.warn({ reason: errorMessage(error) }, 'PostgreSQL does not answer; waiting');
    }
    await pause(retryIntervalMs);
  }
}
