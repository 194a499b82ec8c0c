// npm start: prepares, then launches everything.
import { exitWithNpm } from './exit-with-npm.mjs';
import { prepare } from './prepare.mjs';

exitWithNpm();
await prepare();
process.setSourceMapsEnabled(true);
const { launch } = await import('../dist/tools/launcher/main.js');

// A closed pipe, as of `npm start | head`, is no reason to fail.
process.stdout.on('error', () => undefined);
process.exit(await launch());
