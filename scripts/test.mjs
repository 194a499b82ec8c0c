// npm test: runs all checks and the quick tests. Needs only Node and npm.
// npm test -- e2e/webhooks: runs only test files whose path contains one of the arguments.
// npm run test:long: runs all other tests.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiler, prepare, root } from './prepare.mjs';
import { filesOf, grouped, longerFiles, networkFiles, testFiles } from './test-files.mjs';

/**
 * How many groups the files of a kind form. Each group is a process with a cluster and services of its own,
 * which take about 10 s of processor time.
 */
const groups = {
  short: { browser: 1, fault: 1, e2e: 2, integration: 2 },
  long: { fault: 6, e2e: 3, integration: 2 },
};
/** How many steps run side by side: more than a machine has cores, because most tests often wait. */
const lanes = 5;
/** Chooses fault tests with the queue on Redis. Where the queue does not matter, tests have no queue in the title. */
const onRedis = ['--grep', 'on Redis'];
const sources = [
  'src',
  'workers',
  'tools',
  'cli',
  'clients',
  'test',
  'scripts',
  'bench',
  'dashboard',
  'ormconfig.ts',
];
const debianPostgres = '/usr/lib/postgresql';
/**
 * Options of Node for the processes that tests start, most of which live for seconds: no other thread collects garbage,
 * and only what runs much is optimized. API and worker take a tenth less processor time with them. Only V8 of Node 20
 * has the second one.
 */
const nodeOptions = [
  '--single-threaded-gc',
  ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=1000000'] : []),
];
const work = mkdtempSync(join(tmpdir(), 'signalpost-npm-test-'));
const countsFile = join(work, 'counts');
/** `.ci/run` names a file for each of its runs, some of which run side by side. */
const timesFile = process.env.TEST_TIMES ?? join('dist', 'test-times.tsv');
const failures = [];

try {
  const wanted = process.argv.slice(2);
  if (wanted[0] === '--long' && wanted.length > 1)
    throw new Error(
      'test:long runs all long tests. For one of them: npm test -- <part of its path>',
    );
  if (wanted[0] === '--long') await runLong();
  else if (wanted.length > 0) await runChosen(wanted);
  else await runAll();
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function runChosen(wanted) {
  await prepare({ tests: true });
  await mocha('chosen', testFiles(['.'], wanted));
  await reportTests(countsFile, failures);
}

async function runLong() {
  // Tests read it, see test/support/long-run.ts.
  process.env.TEST_LONG = '1';
  await prepare({ tests: true });

  const longer = longerFiles();
  const quickFaults = filesOf('fault').short.filter((file) => !longer.includes(file));
  await inLanes([
    async () => {
      await mocha('browser', filesOf('browser').long);
      // Not beside them: Chromium ends its requests (ERR_NETWORK_CHANGED) when the machine gets an address.
      await mocha('network', networkFiles());
    },
    ...stepsOf('long'),
    () => mocha('longer', longer),
    ...['contract', 'unit'].map((kind) => () => mocha(kind, filesOf(kind).long)),
    // `npm test` runs them with the queue on PostgreSQL.
    () => mocha('fault', quickFaults, onRedis),
    ...otherPostgres().map((version) => () => plansOn(version)),
  ]);

  await reportTests(countsFile, failures);
}

async function runAll() {
  await prepare({ tests: true });
  await inLanes([
    ...stepsOf('short'),
    // Short ones fill the lanes at the end.
    ...['simulation', 'unit', 'contract'].map((kind) => () => mocha(kind, filesOf(kind).short)),
    checkSources,
    checkBuild,
  ]);
  await reportTests(countsFile, failures);
  process.stdout.write('Not run: the tests of npm run test:long, which .ci/run runs too.\n');
}

/** The steps of a run: one for each group of files. */
function stepsOf(run) {
  const options = (kind) => (run === 'short' && kind === 'fault' ? [...onRedis, '--invert'] : []);
  return interleave(
    Object.entries(groups[run]).map(([kind, count]) =>
      grouped(filesOf(kind)[run], count).map((files) => () => mocha(kind, files, options(kind))),
    ),
  );
}

/** Spreads the steps of each list evenly, so that tests that compute run beside tests that wait. */
function interleave(lists) {
  return lists
    .flatMap((list) => list.map((step, index) => ({ step, place: index / list.length })))
    .sort((a, b) => a.place - b.place)
    .map(({ step }) => step);
}

/** Runs steps side by side. A free lane takes the next step. */
async function inLanes(steps) {
  const next = [...steps];
  const lane = async () => {
    for (let step = next.shift(); step; step = next.shift()) await step();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function checkSources() {
  await step('types of the dashboard', process.execPath, [compiler, '-p', 'dashboard']);
  await step('lint', 'oxlint', []);
  await step('format', 'oxfmt', ['--check']);
}

async function checkBuild() {
  const rules = ['--config', '.dependency-cruiser.cjs'];
  await step('dependency rules', 'depcruise', [...sources, ...rules]);
  await step('unused code', 'knip', []);
}

/** Versions of PostgreSQL from Debian's packages, for the tests of plans. Others use the bundled one. */
function otherPostgres() {
  const names = existsSync(debianPostgres) ? readdirSync(debianPostgres) : [];
  const versions = names.filter(
    (name) => Number(name) >= 14 && existsSync(join(debianPostgres, name, 'bin', 'initdb')),
  );
  if (versions.length === 0) {
    process.stdout.write(
      `Testing plans on the bundled PostgreSQL only: ${debianPostgres} has no other version.\n`,
    );
  }
  return versions;
}

/** Tests plans, because each version plans differently, and a slow plan returns no wrong result. */
async function plansOn(version) {
  const files = testFiles(['integration']).filter((file) => file.endsWith('plans.test.js'));
  const TEST_POSTGRES_BIN = join(debianPostgres, version, 'bin');
  await mocha(`PostgreSQL ${version}: plan`, files, [], { TEST_POSTGRES_BIN });
}

async function mocha(name, files, options = [], environment = {}) {
  if (files.length === 0) return;
  const arguments_ = ['--reporter', './dist/test/support/reporter.js', ...options, ...files];
  await step(`${name} tests`, 'mocha', arguments_, {
    TEST_COUNTS: countsFile,
    TEST_NODE_OPTIONS: nodeOptions.join(' '),
    ...environment,
  });
}

/** Runs one command and prints its output as a block: at its end, or after all others if it failed. */
async function step(name, command, arguments_, environment = {}) {
  const startedAt = performance.now();
  const path = command.includes('/') ? command : join(root, 'node_modules', '.bin', command);
  const child = spawn(path, arguments_, {
    cwd: root,
    env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? '1' : '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

  // When the compiler fails, this process ends while checks still run.
  const kill = () => child.kill();
  process.once('exit', kill);

  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));

  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      output.push(Buffer.from(`${error.message}\n`));
      resolve(1);
    });
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });

  process.off('exit', kill);

  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stdout.write(`\n== ${name}: ${code === 0 ? 'ok' : 'FAILED'} (${seconds} s)\n`);
  if (code === 0) process.stdout.write(Buffer.concat(output));
  else failures.push({ name, output: Buffer.concat(output) });

  return code === 0;
}

/** Writes what each file took, hooks included, longest processor time first. */
function writeTimes(files) {
  const rows = files
    .sort((a, b) => b.processorMs - a.processorMs)
    .map(({ file, ms, processorMs, tests }) =>
      [(processorMs / 1_000).toFixed(1), (ms / 1_000).toFixed(1), tests, file].join('\t'),
    );
  writeFileSync(join(root, timesFile), ['processor s\ts\ttests\tfile', ...rows, ''].join('\n'));
  process.stdout.write(`\nThe times of all test files: ${timesFile}\n`);
}

function reportSlowest(tests) {
  process.stdout.write('\nThe slowest tests:\n');
  for (const { ms, file, title } of tests.sort((a, b) => b.ms - a.ms).slice(0, 10)) {
    process.stdout.write(`${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}: ${title}\n`);
  }
}

/**
 * Prints the slowest tests, failures last, and sets the exit code.
 * @param {string} countsFile what `test/support/reporter.ts` wrote
 * @param {{ name: string, output: Buffer }[]} failures the steps that failed
 */
async function reportTests(countsFile, failures) {
  const lines = existsSync(countsFile) ? readFileSync(countsFile, 'utf8').trim().split('\n') : [];
  const runs = lines.map((line) => JSON.parse(line));
  const total = { passed: 0, failed: 0, skipped: 0 };

  for (const { counts } of runs) {
    for (const key of Object.keys(total)) total[key] += counts[key];
  }

  reportSlowest(runs.flatMap(({ slowest }) => slowest));
  writeTimes(runs.flatMap(({ files }) => files));

  // Compiled by now, unlike when this file is loaded.
  const { processorTimeMs } = await import('../dist/test/support/processor-time.js');
  const seconds = Math.round(performance.now() / 1_000);
  const cpuSeconds = Math.round(processorTimeMs() / 1_000);
  process.stdout.write(`Total: ${seconds} s, ${cpuSeconds} s of CPU time.\n`);

  // Last, so that the end of a long log shows the causes.
  for (const { name, output } of failures) {
    process.stdout.write(`\n== ${name}: FAILED\n`);
    process.stdout.write(output);
  }

  if (failures.length > 0) {
    process.stdout.write(`\nfailed: ${failures.map(({ name }) => name).join(', ')}\n`);
    for (const { title, error } of runs.flatMap(({ failed }) => failed))
      process.stdout.write(`- ${title}\n  ${error.replaceAll('\n', '\n  ')}\n`);
  }

  process.stdout.write(
    `\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`,
  );
  process.exitCode = failures.length > 0 || total.passed === 0 ? 1 : 0;
}
