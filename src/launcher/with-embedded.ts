import { resolve } from 'node:path';
import { type Environment, loadConfig, loadServiceConfig, type ServiceConfig } from '../config.js';
import { inDataDir, OperatorError, reasonOf } from '../explain.js';
import { holdsDatabase } from './database-path.js';
import { embeddedEnvironment } from './embedded-environment.js';
import { joinPostgres, type Presence } from './embedded-postgres.js';

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
  const presence = await join(config.dataDir);
  try {
    const added = await embeddedEnvironment(config, environment);
    return await work(loadServiceConfig({ ...environment, ...added }), presence.startedHere);
  } catch (error) {
    throw inDataDir(error, resolve(config.dataDir));
  } finally {
    await presence.leave();
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

async function join(dataDir: string): Promise<Presence> {
  try {
    return await joinPostgres(dataDir, 'command');
  } catch (error) {
    throw new OperatorError(`Cannot start the PostgreSQL of ${dataDir}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
