import { isSet, loadConfig, processEnvironment } from '../../src/config/config.js';
import { withEmbedded } from '../launcher/with-embedded.js';
import { migrateAll } from '../../src/process/migrate-all.js';
import { runCommand } from '../command-line/run-command.js';

const print = (line: string) => void process.stderr.write(`${line}\n`);

// npm run migrate: brings the schema up to this build, as a step of its own; it needs no keys.
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
