// node scripts/run.mjs <compiled file> [argument …]: installs and compiles, then runs it in this process.
import { exitWithNpm } from './npm.mjs';
import { run } from './prepare.mjs';

const [entry, ...args] = process.argv.slice(2);
if (entry === undefined) throw new Error('usage: run.mjs <entry> [arguments]');
exitWithNpm();
await run(entry, args);
