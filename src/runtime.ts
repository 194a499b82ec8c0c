import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceConfig } from './config.js';
import { Database } from './database/database.js';
import { deriveKey, Sealer, type SecretKey } from './domain/endpoint/sealer.js';
import type { DomainRules } from './domain/rules.js';
import { isUnavailable } from './domain/unavailable.js';
import type { Wakeup } from './domain/wakeup.js';
import { reasonOf } from './explain.js';
import type { Logger } from './log.js';

// ±10 % (H63) and at least 10 failed attempts before an endpoint is disabled (H69).
const jitter = 0.1;
const disableAfterFailures = 10;

/** The settings as the domain needs them. */
function domainRules(config: ServiceConfig): DomainRules {
  const { secretKeys, webhooks, baseUrl, endpointsPerAccount } = config;
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
    random: Math.random,
  };
}

function cursorKeyOf(key: SecretKey): Buffer {
  return deriveKey(key, 'list cursors');
}

function linkKeyOf(key: SecretKey): Buffer {
  return deriveKey(key, 'document links');
}

/** What a process says when it opens its database. */
export interface DatabaseUse {
  /** Shows in pg_stat_activity after `signalpost-`. */
  readonly name: string;
  readonly log: Logger;
  readonly wake?: (wakeups: readonly Wakeup[]) => void;
  readonly abandoned?: (records: number) => void;
  /** Server settings for every connection. */
  readonly serverSettings?: Readonly<Record<string, string>>;
  /** A statement that runs longer is cancelled. */
  readonly statementTimeoutMs?: number;
}

/**
 * Opens the database of this process.
 * @throws SchemaMismatch when migrations are missing
 */
export function openDatabase(config: ServiceConfig, use: DatabaseUse): Promise<Database> {
  return Database.open({
    url: config.databaseUrl,
    pool: config.databasePool,
    applicationName: `signalpost-${use.name}`,
    rules: domainRules(config),
    onIdleError: (error) => use.log.warn({ err: error }, 'database connection lost'),
    ...(use.wake && { wake: use.wake }),
    ...(use.abandoned && { abandoned: use.abandoned }),
    ...(use.serverSettings && { serverSettings: use.serverSettings }),
    ...(use.statementTimeoutMs !== undefined && { statementTimeoutMs: use.statementTimeoutMs }),
  });
}

const tryAgainMs = 1_000;

/**
 * As {@link openDatabase}, while PostgreSQL does not answer again every second, for as long as the setting
 * DATABASE_WAIT says. What waiting does not mend, such as a wrong password, is thrown at once.
 */
export async function awaitDatabase(config: ServiceConfig, use: DatabaseUse): Promise<Database> {
  const end = performance.now() + config.databaseWaitMs;
  for (;;) {
    try {
      return await openDatabase(config, use);
    } catch (error) {
      if (!isUnavailable(error) || performance.now() + tryAgainMs > end) throw error;
      use.log.warn({ reason: reasonOf(error) }, 'PostgreSQL does not answer; waiting');
    }
    await pause(tryAgainMs);
  }
}
