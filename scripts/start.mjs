// npm start: prepares, then launches everything.
import { endWithNpm } from './end-with-npm.mjs';
import { prepare } from './prepare.mjs';

endWithNpm();
await prepare();
process.setSourceMapsEnabled(true);
const { launch } = await import('../dist/src/launcher/main.js');

// A closed pipe, as of `npm start | head`, is no reason to fail.
process.stdout.on('error', () => undefined);
process.exit(await launch());
