import { type Config, type Environment, ownEnvironment } from '../config.js';
import { migrateAll } from '../migrate.js';
import { joinPostgres } from './embedded-postgres.js';
import { type CompleteConfig, completeConfig, requireComplete } from './embedded-environment.js';

/**
 * Runs `work` with a database: the one of DATABASE_URL, else the embedded one of DATA_DIR, which is
 * started for as long as it takes when it does not run, and migrated.
 * @param work gets the settings with database and keys filled in
 * @throws ConfigError when DATABASE_URL is set without SECRET_KEY; whatever `work` throws
 */
export async function withDatabase<T>(
  config: Config,
  work: (config: CompleteConfig) => Promise<T>,
  environment: Environment = ownEnvironment,
): Promise<T> {
  if (config.databaseUrl !== undefined) return work(requireComplete(config));
  const presence = await joinPostgres(config.dataDir, 'command');
  try {
    await migrateAll(presence.databaseUrl);
    return await work(await completeConfig(config, environment));
  } finally {
    await presence.leave();
  }
}
