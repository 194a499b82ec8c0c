import { isGiven, loadConfig, ownEnvironment } from '../config.js';
import { withEmbedded } from '../launcher/with-embedded.js';
import { migrateAll } from '../migrate.js';
import { runCommand } from './run-command.js';

const say = (line: string) => void process.stderr.write(`${line}\n`);

// npm run migrate: brings the schema up to this build, as a step of its own; it needs no keys.
await runCommand(async () => {
  const applied = isGiven(ownEnvironment, 'DATABASE_URL')
    ? await migrateAll(loadConfig().databaseUrl ?? '', { say })
    : await withEmbedded(({ databaseUrl }) => migrateAll(databaseUrl, { say }), ownEnvironment);
  process.stdout.write(
    applied.length > 0 ? `Applied: ${applied.join(', ')}\n` : 'The schema is up to date.\n',
  );
});
