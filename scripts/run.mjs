// node scripts/run.mjs <compiled file> [argument …]: prepares, then runs it in this process.
import { endWithNpm } from './end-with-npm.mjs';
import { run } from './prepare.mjs';

const [entry, ...args] = process.argv.slice(2);
if (entry === undefined) throw new Error('usage: run.mjs <entry> [arguments]');
endWithNpm();
await run(entry, args);
