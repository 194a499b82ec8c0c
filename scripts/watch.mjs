// Runs the compiler in watch mode, for `npm run dev` and `npm run test:watch`.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './prepare.mjs';

/**
 * Compiles changed files, without type checks, until this process ends.
 * @param {string} config such as tsconfig.json
 * @param {() => unknown} onCompiled called after the first compilation and after each change
 */
export function watch(config, onCompiled) {
  // Without the stamps, other commands compile again with type checks before they run the code.
  for (const name of ['tsconfig.json', 'tsconfig.build.json']) {
    rmSync(join(root, 'dist', `.${name}.stamp`), { force: true });
  }
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, '-p', config, '--watch', '--noCheck', '--preserveWatchOutput'];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill());
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (/error TS\d+/.test(line)) process.stdout.write(`${line}\n`);
    if (/Watching for file changes/.test(line)) onCompiled();
  });
}
