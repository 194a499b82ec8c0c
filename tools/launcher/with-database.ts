import {
  type Environment,
  isSet,
  loadServiceConfig,
  processEnvironment,
  type ServiceConfig,
} from '../../src/config/config.js';

/**
 * Runs `work` with a database: the one of DATABASE_URL, else the embedded one of DATA_DIR, which is
 * started for as long as it takes when it does not run, and migrated.
 * @param work gets the settings with database and keys filled in
 * @throws ConfigError; OperatorError when there is none or it cannot be brought; whatever `work` throws
 */
export async function withDatabase<T>(
  work: (config: ServiceConfig) => Promise<T>,
  environment: Environment = processEnvironment,
): Promise<T> {
  if (isSet(environment, 'DATABASE_URL')) return work(loadServiceConfig(environment));
  // What brings a PostgreSQL takes longer to load than most commands take.
  const [{ withEmbedded }, { migrateAll }] = await Promise.all([
    import('./with-embedded.js'),
    import('../../src/process/migrate-all.js'),
  ]);
  return withEmbedded(async (config) => {
    await migrateAll(config.databaseUrl);
    return work(config);
  }, environment);
}
