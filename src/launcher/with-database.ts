import {
  type Environment,
  isGiven,
  loadConfig,
  loadServiceConfig,
  ownEnvironment,
  type ServiceConfig,
} from '../config.js';
import { OperatorError, reasonOf } from '../explain.js';
import { migrateAll } from '../migrate.js';
import { embeddedEnvironment } from './embedded-environment.js';
import { joinPostgres, type Presence } from './embedded-postgres.js';

/**
 * Runs `work` with a database: the one of DATABASE_URL, else the embedded one of DATA_DIR, which is
 * started for as long as it takes when it does not run, and migrated.
 * @param work gets the settings with database and keys filled in
 * @throws ConfigError; OperatorError when no PostgreSQL can be brought; whatever `work` throws
 */
export async function withDatabase<T>(
  work: (config: ServiceConfig) => Promise<T>,
  environment: Environment = ownEnvironment,
): Promise<T> {
  if (isGiven(environment, 'DATABASE_URL')) return work(loadServiceConfig(environment));
  return withEmbedded(async (config) => {
    await migrateAll(config.databaseUrl);
    return work(config);
  }, environment);
}

/**
 * As {@link withDatabase} with the embedded PostgreSQL of DATA_DIR, its schema left as it is.
 * @param work is also told whether it was started for this
 */
export async function withEmbedded<T>(
  work: (config: ServiceConfig, startedHere: boolean) => Promise<T>,
  environment: Environment,
): Promise<T> {
  const config = loadConfig(environment);
  const presence = await join(config.dataDir);
  try {
    const added = await embeddedEnvironment(config, environment);
    return await work(loadServiceConfig({ ...environment, ...added }), presence.startedHere);
  } finally {
    await presence.leave();
  }
}

async function join(dataDir: string): Promise<Presence> {
  try {
    return await joinPostgres(dataDir, 'command');
  } catch (error) {
    throw new OperatorError(`The PostgreSQL of ${dataDir} cannot be brought: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
