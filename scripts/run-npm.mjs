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
