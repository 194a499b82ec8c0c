import { loadConfig } from '../config.js';
import { migrate } from '../database/migrate.js';
import { withDatabase } from '../launcher/with-database.js';

// npm run migrate: brings the schema up to this build, as a step of its own.
const config = loadConfig();
const applied =
  config.databaseUrl === undefined
    ? await withDatabase(config, ({ databaseUrl }) => migrate(databaseUrl))
    : await migrate(config.databaseUrl);
process.stdout.write(
  applied.length > 0 ? `Applied: ${applied.join(', ')}\n` : 'The schema is up to date.\n',
);
