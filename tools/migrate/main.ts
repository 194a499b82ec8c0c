// `npm run migrate`: migrates the schema to this build as a separate step; needs no SECRET_KEY.
import { printable } from '../../cli/output/text.js';
import { isSet, loadConfig, processEnvironment } from '../../src/config/config.js';
import { migrateAll } from '../../src/process/migrate-all.js';
import { runCommand } from '../command-line.js';
import { withEmbedded } from '../launcher/with-database.js';

const print = (line: string) => void process.stderr.write(`${printable(line)}\n`);

await runCommand(async () => {
  const applied = isSet(processEnvironment, 'DATABASE_URL')
    ? await migrateAll(loadConfig().databaseUrl ?? '', { print })
    : await withEmbedded(
        ({ databaseUrl }) => migrateAll(databaseUrl, { print }),
        processEnvironment,
      );
  process.stdout.write(
    applied.length > 0 ? `Applied: ${applied.join(', ')}\n` : 'The schema is up to date.\n',
  );
});
