// npm start: installs and compiles, then starts PostgreSQL, API and worker.
import { exitWithNpm } from './npm.mjs';
import { prepare } from './prepare.mjs';

exitWithNpm();
await prepare();
process.setSourceMapsEnabled(true);
const { launch } = await import('../dist/tools/launcher/main.js');

// A closed pipe, as in `npm start | head`, must not end the service.
process.stdout.on('error', () => undefined);
process.exit(await launch());
