import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './prepare.mjs';

/** Files of test/ that `npm run test:long` runs, and `npm test` only where its arguments name them. */
const longTests = [
  // Start clusters, fail over or restore.
  'fault/failover',
  'fault/former-primary',
  'fault/redis-failover',
  'fault/restore',
  'fault/restore-dump',
  'fault/upgrade-from-dump',
  'integration/database/standby',
  // Have networks of their own.
  'fault/nodes',
  // Hold a fault for longer than a timeout.
  'fault/black-hole',
  'fault/listen',
  // Send steadily or many.
  'e2e/commerce.invoices.pdf.load',
  'fault/mutated-responses',
  'fault/steady-load',
];

/**
 * Lists compiled test files, sorted by path.
 * @param {string[]} kinds folders of test/, such as unit
 * @param {string[]} parts only files whose path contains one of them; defaults to all
 */
export function testFiles(kinds, parts = ['']) {
  return kinds
    .flatMap((kind) => listFiles(join(root, 'dist', 'test', kind)))
    .filter((file) => file.endsWith('.test.js'))
    .map((file) => relative(root, file))
    .filter((file) => parts.some((part) => file.includes(part)))
    .sort();
}

/**
 * Divides test files into those that `npm test` runs and those for `npm run test:long`.
 * @param {string[]} files of {@link testFiles}
 * @throws Error when the list names a file that does not exist
 */
export function splitLong(files) {
  const long = longTests.map((name) => join('dist', 'test', `${name}.test.js`));
  const missing = long.filter((file) => !existsSync(join(root, file)));
  if (missing.length > 0) throw new Error(`longTests names missing files: ${missing.join(', ')}`);
  return {
    short: files.filter((file) => !long.includes(file)),
    long: files.filter((file) => long.includes(file)),
  };
}

function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
