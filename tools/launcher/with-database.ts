import {
  type Environment,
  isSet,
  loadServiceConfig,
  processEnvironment,
  type ServiceConfig,
} from '../../src/config/config.js';

/**
 * Runs `work` with a database: that of DATABASE_URL, otherwise the embedded one of DATA_DIR. The
 * embedded one is migrated first, and started for the duration of `work` unless it runs.
 * @param work gets the settings with database and keys filled in
 * @throws ConfigError; OperatorError when the database is missing or does not start; errors of `work`
 */
export async function withDatabase<T>(
  work: (config: ServiceConfig) => Promise<T>,
  environment: Environment = processEnvironment,
): Promise<T> {
  if (isSet(environment, 'DATABASE_URL')) return work(loadServiceConfig(environment));
  // Loaded only here: the code of the embedded PostgreSQL loads longer than most commands run.
  const [{ withEmbedded }, { migrateAll }] = await Promise.all([
    import('./with-embedded.js'),
    import('../../src/process/migrate-all.js'),
  ]);
  return withEmbedded(async (config) => {
    await migrateAll(config.databaseUrl);
    return work(config);
  }, environment);
}
