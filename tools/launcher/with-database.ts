import { resolve } from 'node:path';
import { printable } from '../../cli/output/text.js';
import {
  type Environment,
  isSet,
  loadConfig,
  loadServiceConfig,
  processEnvironment,
  type ServiceConfig,
} from '../../src/config/config.js';
import { errorMessage, inDataDir, OperatorError } from '../../src/process/explain-error.js';
import { migrateAll } from '../../src/process/migrate-all.js';
import { holdsDatabase } from './data-dir.js';
import { embeddedEnvironment } from './embedded-environment.js';
import { acquirePostgres, type PostgresHandle } from './embedded-postgres.js';
import { printWaits } from './file-lock.js';

/** Long, because a start after a crash first replays the write-ahead log. */
const startLimitMs = 300_000;

/**
 * Runs `work` with a database: that of DATABASE_URL, otherwise the embedded one of DATA_DIR. Migrates the
 * embedded one first, and starts it for the duration of `work` unless it runs.
 * @param work gets the settings, including database and keys
 * @throws ConfigError; OperatorError if the database is missing or does not start; errors of `work`
 */
export async function withDatabase<T>(
  work: (config: ServiceConfig) => Promise<T>,
  environment: Environment = processEnvironment,
): Promise<T> {
  if (isSet(environment, 'DATABASE_URL')) return work(loadServiceConfig(environment));
  return withEmbedded(async (config) => {
    await migrateAll(config.databaseUrl);
    return work(config);
  }, environment);
}

/**
 * Runs `work` with the embedded PostgreSQL of DATA_DIR, and starts it for the duration of `work` unless it
 * runs. Does not migrate. Never creates a database: if someone forgot to set DATA_DIR, that would be a second,
 * empty one.
 * @param work gets the settings, including database and keys
 * @throws ConfigError; OperatorError if the database is missing or does not start; errors of `work`
 */
export async function withEmbedded<T>(
  work: (config: ServiceConfig) => Promise<T>,
  environment: Environment,
): Promise<T> {
  const config = loadConfig(environment);
  const missing = missingDatabase(config.dataDir);
  if (missing !== undefined) throw new OperatorError(missing);

  const handle = await acquire(config.dataDir);
  try {
    const environmentAdded = await embeddedEnvironment(config, environment, () =>
      Promise.resolve(handle.databaseUrl),
    );
    return await work(loadServiceConfig({ ...environment, ...environmentAdded }));
  } catch (error) {
    throw inDataDir(error, resolve(config.dataDir));
  } finally {
    await handle.leave();
  }
}

/** Returns the error text if `dataDir` holds no database; undefined if it holds one, running or not. */
export function missingDatabase(dataDir: string): string | undefined {
  if (holdsDatabase(dataDir)) return undefined;
  return (
    `DATABASE_URL is not set and ${resolve(dataDir)} holds no database: set DATA_DIR to the folder ` +
    'that npm start uses, or run npm start first.'
  );
}

async function acquire(dataDir: string): Promise<PostgresHandle> {
  const print = printWaits((line) => process.stderr.write(`${printable(line)}\n`));
  let waitsFor = 'it did not start in time';
  const onWait = (reason: string) => {
    waitsFor = reason;
    print(reason);
  };

  const signal = AbortSignal.timeout(startLimitMs);
  try {
    return await acquirePostgres(dataDir, 'command', { signal, onWait });
  } catch (error) {
    const reason = signal.aborted ? waitsFor : errorMessage(error);
    throw new OperatorError(`Cannot start the PostgreSQL of ${dataDir}: ${reason}`, {
      cause: error,
    });
  }
}
