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
  // Kills what others kill one by one.
  'fault/everything-killed',
  // Hold a fault for longer than a timeout.
  'fault/black-hole',
  'fault/listen',
  // Send steadily or many.
  'e2e/commerce.invoices.pdf.load',
  'fault/mutated-responses',
  'fault/steady-load',
];

/** Files that both run: `npm test` with fewer faults, variants and seeds, as `test/support/long-run.ts` says. */
const longerTests = [
  'fault/crash-points',
  'fault/erasing-worker-killed',
  'fault/poison-delivery',
  'fault/recording-refused',
  'fault/recovering-worker-killed',
  'fault/replay-crash-points',
  'fault/worker-killed',
  'integration/domain/account-plans',
  'integration/domain/delivery/plans',
  'integration/domain/session/plans',
  'integration/graphql/plans',
  'simulation/simulation',
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
 * @returns {{ short: string[], long: string[], longer: string[] }} `longer` are those of `short` that
 *   `npm run test:long` runs, too
 * @throws Error when a list names a file that does not exist
 */
export function splitLong(files) {
  const [long, longer] = [longTests, longerTests].map(pathsOf);
  return {
    short: files.filter((file) => !long.includes(file)),
    long: files.filter((file) => long.includes(file)),
    longer: files.filter((file) => longer.includes(file)),
  };
}

/**
 * Lists the files of a kind that `npm test` runs.
 * @param {string} kind a folder of test/, or `browser` for those of `e2e` that start a browser
 */
export function filesOf(kind) {
  const isBrowserTest = (file) => file.endsWith('.browser.test.js');
  if (kind === 'browser') return testFiles(['e2e']).filter(isBrowserTest);
  const { short } = splitLong(testFiles([kind]));
  return kind === 'e2e' ? short.filter((file) => !isBrowserTest(file)) : short;
}

/** Divides files so that neighbours, which are often alike, are in different groups. */
export function grouped(files, count) {
  return Array.from({ length: count }, (_, place) =>
    files.filter((_file, index) => index % count === place),
  );
}

function pathsOf(names) {
  const paths = names.map((name) => join('dist', 'test', `${name}.test.js`));
  const missing = paths.filter((file) => !existsSync(join(root, file)));
  if (missing.length > 0)
    throw new Error(`scripts/test-files.mjs names missing files: ${missing.join(', ')}`);
  return paths;
}

function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
