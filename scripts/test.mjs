// npm test: runs all tests and checks. Needs only Node and npm.
// npm test -- e2e/webhooks: runs only test files whose path contains one of the arguments.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discardBuild, prepare, root } from './prepare.mjs';
import { testFiles } from './test-files.mjs';

/** The longest fault tests. Each starts a group of its own, so that the lanes run them in parallel. */
const longestFaults = [
  'crash-points',
  'everything-killed',
  'worker-stopped',
  'postgres-restarted',
  'poison-delivery',
  'worker-killed',
];
const sources = [
  'src',
  'workers',
  'tools',
  'cli',
  'test',
  'scripts',
  'bench',
  'dashboard',
  'ormconfig.ts',
];
const typesAndLint = 'types and lint';
const debianPostgres = '/usr/lib/postgresql';
const work = mkdtempSync(join(tmpdir(), 'signalpost-npm-test-'));
const countsFile = join(work, 'counts');
const failures = [];

try {
  const wanted = process.argv.slice(2);
  let sourceChecks;
  // These checks read the sources, so they run beside the compiler. They check the types for it.
  const whenInstalled = () => (sourceChecks = checkSources());
  await prepare({ tests: true, ...(wanted.length === 0 && { whenInstalled, checkTypes: false }) });
  if (wanted.length > 0) {
    await mocha('chosen', testFiles(['.'], wanted));
  } else {
    // The longest first; short ones fill the lanes at the end.
    const [firstFaults, ...otherFaults] = longestFaults.map(
      (_name, place) => () => faultTests(place),
    );
    const next = [
      firstFaults,
      () => tests('integration'),
      ...otherFaults,
      ...['simulation', 'unit', 'contract'].map((kind) => () => tests(kind)),
      checkBuild,
      ...otherPostgres().map((version) => () => plansOn(version)),
    ];
    // Three lanes for two cores, because fault tests mostly wait. A free lane takes the next step.
    const lane = async () => {
      for (let step = next.shift(); step; step = next.shift()) await step();
    };
    await Promise.all([sourceChecks.then(lane), tests('e2e').then(lane), lane()]);
    if (failures.some(({ name }) => name === typesAndLint)) discardBuild();
  }
  report();
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function checkSources() {
  const lint = ['--max-semi-space-size=64', 'scripts/check-types-and-lint.mjs', ...sources];
  await step(typesAndLint, process.execPath, lint);
  await step('format', 'prettier', [
    '--check',
    '--log-level',
    'warn',
    '--cache',
    '--cache-strategy',
    'content',
    '--cache-location',
    'dist/.prettier-cache',
    '.',
  ]);
}

async function checkBuild() {
  const rules = ['--config', '.dependency-cruiser.cjs'];
  await step('dependency rules', 'depcruise', [...sources, ...rules]);
  await step('unused code', 'knip', []);
  await step('generated files', process.execPath, ['dist/scripts/generate.js', '--check']);
}

async function tests(kind) {
  await mocha(kind, testFiles([kind]));
}

/** Runs one group of the fault tests: one of the longest, and every n-th of the others. */
async function faultTests(place) {
  const all = testFiles(['fault']);
  const longest = longestFaults.map((name) => join('dist', 'test', 'fault', `${name}.test.js`));
  const missing = longest.filter((file) => !all.includes(file));
  if (missing.length > 0)
    throw new Error(`longestFaults names files that do not exist: ${missing.join(', ')}`);
  const others = all.filter((file) => !longest.includes(file));
  const inGroup = others.filter((_file, index) => index % longest.length === place);
  await mocha('fault', [...all.filter((file) => file === longest[place]), ...inGroup]);
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
  await mocha(`PostgreSQL ${version}: plan`, files, { TEST_POSTGRES_BIN });
}

async function mocha(name, files, environment = {}) {
  if (files.length === 0) return;
  const arguments_ = ['--reporter', './dist/test/support/reporter.js', ...files];
  await step(`${name} tests`, 'mocha', arguments_, { TEST_COUNTS: countsFile, ...environment });
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

function reportSlowest(tests) {
  process.stdout.write('\nThe slowest tests:\n');
  for (const { ms, file, title } of tests.sort((a, b) => b.ms - a.ms).slice(0, 10)) {
    process.stdout.write(`${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}: ${title}\n`);
  }
}

function report() {
  const lines = existsSync(countsFile) ? readFileSync(countsFile, 'utf8').trim().split('\n') : [];
  const runs = lines.map((line) => JSON.parse(line));
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { counts } of runs) {
    for (const key of Object.keys(total)) total[key] += counts[key];
  }
  reportSlowest(runs.flatMap(({ slowest }) => slowest));
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
