// Runs the compiler in watch mode, for `npm run dev` and `npm run test:watch`.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { compiler, discardBuild, root } from './prepare.mjs';

/**
 * Compiles changed files, without type checks, until this process ends.
 * @param {string} config such as tsconfig.json
 * @param {() => unknown} onCompiled called after the first compilation and after each change
 */
export async function watch(config, onCompiled) {
  discardBuild();
  // Node 20 runs the native program as a child of its script, and it would survive a signal to that.
  const lookUp = join(dirname(dirname(compiler)), 'lib', 'getExePath.js');
  const { default: programPath } = await import(pathToFileURL(lookUp).href);
  const args = ['-p', config, '--watch', '--noCheck', '--preserveWatchOutput'];
  const child = spawn(programPath(), args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill());
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (/error TS\d+/.test(line)) process.stdout.write(`${line}\n`);
    if (/Watching for file changes/.test(line)) onCompiled();
  });
}
