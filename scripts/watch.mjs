// Runs the compiler in watch mode, for `npm run dev` and `npm run test:watch`.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { compiler, discardBuild, root } from './prepare.mjs';

/**
 * Compiles changed files, without type checks, until this process ends.
 * @param {string} config such as tsconfig.json
 * @param {() => unknown} onCompiled called after the first compilation and after each change
 */
export function watch(config, onCompiled) {
  discardBuild();
  const args = [compiler, '-p', config, '--watch', '--noCheck', '--preserveWatchOutput'];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill());
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (/error TS\d+/.test(line)) process.stdout.write(`${line}\n`);
    if (/Watching for file changes/.test(line)) onCompiled();
  });
}
