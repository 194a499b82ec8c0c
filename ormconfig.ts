import { loadConfig } from './src/config/config.js';
import { createDataSource } from './src/database/data-source.js';

const { databaseUrl } = loadConfig();
if (databaseUrl === undefined)
  throw new Error('DATABASE_URL is not set: the TypeORM command line needs it.');

/** The data source for the TypeORM command line: `typeorm -d dist/ormconfig.js`. */
export default createDataSource({
  url: databaseUrl,
  pool: 2,
  applicationName: 'signalpost-typeorm',
  statementTimeoutMs: 0,
});
