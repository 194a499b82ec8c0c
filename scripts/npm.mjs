// Running npm, and being run by npm. Plain JavaScript without dependencies: it runs before anything is installed.
import { spawn } from 'node:child_process';
import { root } from './prepare.mjs';

/**
 * Runs npm in the root folder, with the npm that runs this process if there is one.
 * @param {string[]} args
 * @param {{ timeoutMs: number }} options npm is killed after this time
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string }>} code: null when killed
 */
export function npm(args, { timeoutMs }) {
  const own = process.env.npm_execpath;
  const [file, first] = /npm-cli\.c?js$/.test(own ?? '') ? [process.execPath, [own]] : ['npm', []];
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...first, ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/**
 * Sends this process SIGTERM when the npm that runs it has ended: Ctrl-C could no longer stop it.
 * Only scripts of package.json that begin with `exec` have npm as their parent. Others have a shell,
 * which may live longer than npm.
 */
export function exitWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 1_000);
  watch.unref();
}
