// npm run test:watch -- <part of a path> …: runs the matching test files after each change of a source.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';
import { testFiles } from './test-files.mjs';
import { watch } from './watch.mjs';

const wanted = process.argv.slice(2);
if (wanted.length === 0) throw new Error('usage: npm run test:watch -- <part of a path> …');
await prepare({ tests: true });

let running;
await watch('tsconfig.json', () => {
  running?.kill();
  const files = testFiles(['.'], wanted);
  if (files.length === 0)
    return void process.stdout.write(`No test file matches ${wanted.join(' or ')}.\n`);
  const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
  running = spawn(process.execPath, [mocha, ...files], { cwd: root, stdio: 'inherit' });
});
process.once('exit', () => running?.kill());
