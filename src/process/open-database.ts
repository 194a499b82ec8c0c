// Opens the database of a process with its settings, for all processes and tools alike.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceConfig } from '../config/config.js';
import { Database, type DatabaseOptions } from '../database/database.js';
import { hostUrls } from '../database/address.js';
import { Primary } from '../database/primary.js';
import { type JsonSchema, provideBuiltInSchemas } from '../domain/event-type/built-in.js';
import { deriveKey, Sealer } from '../domain/values/sealer.js';
import type { DomainRules } from '../domain/transaction/rules.js';
import { isUnavailable } from '../domain/transaction/unavailable.js';
import { errorMessage } from './explain-error.js';
import type { Logger } from './log.js';

// The contract fixes both: ±10 % jitter, and at least 10 failed attempts before an endpoint is
// disabled.
const jitter = 0.1;
const disableAfterFailures = 10;

const eventSchemas = new URL('../../schema/event-schemas.json', import.meta.url);

/** Hands the schemas of our own event types to the domain, which reads no files. */
export function provideEventSchemas(): void {
  const text = readFileSync(eventSchemas, 'utf8');
  provideBuiltInSchemas(JSON.parse(text) as Record<string, JsonSchema>);
}

/** The settings in the form that the domain needs. */
function domainRules(config: ServiceConfig): DomainRules {
  const { secretKeys, webhooks, baseUrl, endpointsPerAccount, operatorAccount } = config;
  const [newest, ...older] = secretKeys;
  const keysFor = (purpose: string): [Buffer, ...Buffer[]] => [
    deriveKey(newest, purpose),
    ...older.map((key) => deriveKey(key, purpose)),
  ];

  return {
    sealer: new Sealer(secretKeys),
    privateTargets: webhooks.allowPrivateTargets,
    cursorKeys: keysFor('list cursors'),
    linkKeys: keysFor('document links'),
    baseUrl,
    retry: {
      delaysMs: webhooks.retryScheduleMs,
      otherDelaysMs: webhooks.otherRetrySchedulesMs,
      jitter,
      disableAfterMs: webhooks.disableAfterMs,
      disableAfterFailures,
    },
    endpointsPerAccount,
    operatorAccount,
    signInByProviderOnly: config.openId?.only === true,
    random: Math.random,
  };
}

export interface OpenDatabaseOptions extends Omit<
  DatabaseOptions,
  'url' | 'isPooler' | 'pool' | 'applicationName' | 'rules' | 'onIdleError'
> {
  /** Appears in pg_stat_activity as `signalpost-<name>`. */
  readonly name: string;
  readonly log: Logger;
  /** A pooler in transaction mode to connect to instead of PostgreSQL. */
  readonly poolerUrl?: string | undefined;
}

/**
 * Opens the database of this process.
 * @throws SchemaMismatch when migrations are missing
 */
export function openDatabase(
  config: ServiceConfig,
  { name, log, poolerUrl, ...options }: OpenDatabaseOptions,
): Promise<Database> {
  Primary.of(hostUrls(config.databaseUrl)).onChange = (host) =>
    log.warn({ host }, 'another host of the database is the primary');
  provideEventSchemas();
  return Database.open({
    ...options,
    url: poolerUrl ?? config.databaseUrl,
    isPooler: poolerUrl !== undefined,
    pool: config.databasePool,
    applicationName: `signalpost-${name}`,
    rules: domainRules(config),
    onIdleError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
}

const retryIntervalMs = 1_000;

/**
 * As {@link openDatabase}, but retries every second while PostgreSQL is not responding, for at most
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
      options.log.warn({ reason: errorMessage(error) }, 'PostgreSQL is not responding; waiting');
    }
    await pause(retryIntervalMs);
  }
}
