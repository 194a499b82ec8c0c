// Which files of test/ `npm test` runs, and which `npm run test:long`.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './prepare.mjs';

/** Of these kinds `npm test` runs only a few files, at least one of each kind of fault. */
const chosen = {
  browser: ['dashboard.journey'],
  fault: [
    'api-killed',
    'hanging-receivers',
    'health',
    'locked-tables',
    'network-partition',
    'postgres-restarted',
    'queue-unreachable',
    'stalled-worker',
    'unconfirmed-claim',
    'worker-killed',
  ],
};

/** Files of other kinds that `npm test` leaves to `npm run test:long`. */
const longTests = [
  // Start many processes, each with settings of its own.
  'contract/loaded-packages',
  'e2e/admin',
  'e2e/admin.accounts',
  'e2e/cli',
  'e2e/clients.typescript',
  'e2e/commands',
  'e2e/commit-signals',
  'e2e/connection-shares',
  'e2e/credentials.revoked',
  'e2e/credentials.shared-address',
  'e2e/dashboard.openid',
  'e2e/delivery-lag',
  'e2e/disabling.mails',
  'e2e/doctor',
  'e2e/doctor.embedded',
  'e2e/event-types',
  'e2e/exported-metrics',
  'e2e/generated-clients',
  'e2e/logs',
  'e2e/lost-key',
  'e2e/operators',
  'e2e/proxy',
  'e2e/python-client',
  'e2e/server-command',
  'e2e/startup',
  'e2e/stream',
  'e2e/traces',
  'e2e/unavailable',
  'e2e/worker-round-trips',
  'e2e/workers-alive',
  'integration/backup',
  'integration/cli/hostile-service',
  'integration/database/concurrent-index',
  'integration/database/server-settings',
  'integration/database/standby',
  'integration/failed-start',
  'integration/launcher',
  'integration/npm-signals',
  'integration/receiver',
  'integration/seed/fill-account',
  'integration/unsupported-schema',
  'unit/scripts/dependencies',
  // Wait long, send steadily or send much.
  'e2e/change-concurrency',
  'e2e/cli.since',
  'e2e/commerce.invoices.pdf.load',
  'e2e/pending-limit',
  'e2e/stop',
  'e2e/stream.processes',
  'integration/domain/stream/differences',
  // Plan every statement on databases of several sizes.
  'integration/domain/account/plans',
  'integration/domain/delivery/plans',
  'integration/domain/session/plans',
  'integration/graphql/plans',
];

/** Files that add addresses to the machine. */
const networkTests = ['fault/nodes'];

/** Files that both run: `npm test` with fewer faults and seeds, as `test/support/long-run.ts` says. */
const longerTests = ['fault/worker-killed', 'simulation/simulation'];

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
 * Divides the files of a kind into those that `npm test` runs and those for `npm run test:long`.
 * @param {string} kind a folder of test/, or `browser` for those of `e2e` that start a browser
 * @returns {{ short: string[], long: string[] }}
 * @throws Error when a list names a file that does not exist
 */
export function filesOf(kind) {
  const isBrowserTest = (file) => file.endsWith('.browser.test.js');
  const files = testFiles([kind === 'browser' ? 'e2e' : kind]).filter(
    (file) => isBrowserTest(file) === (kind === 'browser'),
  );

  if (kind in chosen) {
    const [folder, suffix] = kind === 'browser' ? ['e2e', '.browser'] : [kind, ''];
    const short = pathsOf(chosen[kind].map((name) => `${folder}/${name}${suffix}`));
    const others = [...short, ...networkFiles()];
    return { short, long: files.filter((file) => !others.includes(file)) };
  }

  const long = pathsOf(longTests);
  return {
    short: files.filter((file) => !long.includes(file)),
    long: files.filter((file) => long.includes(file)),
  };
}

/** The files that `npm test` runs and that `npm run test:long` runs again, with more faults and seeds. */
export const longerFiles = () => pathsOf(longerTests);

/** The files that `npm run test:long` runs when no browser test runs. */
export const networkFiles = () => pathsOf(networkTests);

/** Divides files into groups of about the same size, which tells well enough how long they take. */
export function grouped(files, count) {
  const groups = Array.from({ length: count }, () => ({ files: [], bytes: 0 }));
  const sizes = files.map((file) => ({ file, bytes: statSync(join(root, file)).size }));
  for (const { file, bytes } of sizes.sort((a, b) => b.bytes - a.bytes)) {
    const smallest = groups.reduce((least, group) => (group.bytes < least.bytes ? group : least));
    smallest.files.push(file);
    smallest.bytes += bytes;
  }

  return groups.map((group) => group.files.sort());
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
