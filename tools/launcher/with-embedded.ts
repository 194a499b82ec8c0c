import { resolve } from 'node:path';
import {
  type Environment,
  loadConfig,
  loadServiceConfig,
  type ServiceConfig,
} from '../../src/config/config.js';
import { inDataDir, OperatorError, errorMessage } from '../../src/process/explain-error.js';
import { holdsDatabase } from './database-path.js';
import { embeddedEnvironment } from './embedded-environment.js';
import { acquirePostgres, type PostgresHandle } from './embedded-postgres.js';

/**
 * Runs `work` with the embedded PostgreSQL of DATA_DIR, which is started for as long as it takes when
 * it does not run; its schema is left as it is. Makes none: a forgotten DATA_DIR would begin an empty one.
 * @param work gets the settings with database and keys filled in, and whether it was started for this
 * @throws ConfigError; OperatorError when there is none or it cannot be brought; whatever `work` throws
 */
export async function withEmbedded<T>(
  work: (config: ServiceConfig, startedHere: boolean) => Promise<T>,
  environment: Environment,
): Promise<T> {
  const config = loadConfig(environment);
  const missing = missingDatabase(config.dataDir);
  if (missing !== undefined) throw new OperatorError(missing);
  const handle = await acquire(config.dataDir);
  try {
    const environmentAdded = await embeddedEnvironment(config, environment);
    return await work(
      loadServiceConfig({ ...environment, ...environmentAdded }),
      handle.startedHere,
    );
  } catch (error) {
    throw inDataDir(error, resolve(config.dataDir));
  } finally {
    await handle.leave();
  }
}

/** What to say where `dataDir` holds no database; undefined where it holds one, running or not. */
export function missingDatabase(dataDir: string): string | undefined {
  if (holdsDatabase(dataDir)) return undefined;
  return (
    `DATABASE_URL is not set and ${resolve(dataDir)} holds no database: set DATA_DIR to the folder ` +
    'that npm start uses, or run npm start first.'
  );
}

async function acquire(dataDir: string): Promise<PostgresHandle> {
  try {
    return await acquirePostgres(dataDir, 'command');
  } catch (error) {
    throw new OperatorError(`Cannot start the PostgreSQL of ${dataDir}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}
