import { loadConfig } from '../config.js';
import { migrateAll } from '../migrate.js';
import { withDatabase } from '../launcher/with-database.js';

// npm run migrate: brings the schema up to this build, as a step of its own.
const config = loadConfig();
const applied =
  config.databaseUrl === undefined
    ? await withDatabase(config, ({ databaseUrl }) => migrateAll(databaseUrl))
    : await migrateAll(config.databaseUrl);
process.stdout.write(
  applied.length > 0 ? `Applied: ${applied.join(', ')}\n` : 'The schema is up to date.\n',
);
