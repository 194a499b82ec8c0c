// Installs the locked dependencies and compiles the code, which every command of a fresh clone needs.
// Plain JavaScript without dependencies; prints to standard error only.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDashboardBuilt } from './build-dashboard.mjs';
import { isSchemaBuilt } from './build-schema.mjs';
import { acquireFileMutex } from './file-mutex.mjs';

/** The folder of package.json. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** TypeScript 7. The package `typescript` is version 6, whose interface other tools need. */
export const compiler = join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc');

const inRoot = (...parts) => join(root, ...parts);
const print = (line) => process.stderr.write(`signalpost: ${line}\n`);

const shipped = ['src', 'workers', 'tools', 'cli', 'clients', 'ormconfig.ts'];
const scopes = {
  app: { config: 'tsconfig.build.json', sources: shipped },
  all: {
    config: 'tsconfig.json',
    sources: [...shipped, 'test', 'scripts', 'bench', 'dashboard/src'],
  },
};

/**
 * Installs and builds what is missing or outdated; parallel calls wait for each other.
 * @param {{ tests?: boolean }} [options] tests: also compiles test, scripts and bench
 */
export async function prepare(options) {
  try {
    await prepareOrThrow(options);
  } catch (error) {
    print(error.message);
    process.exit(1);
  }
}

async function prepareOrThrow({ tests = false } = {}) {
  requireNode();

  const scope = tests ? scopes.all : scopes.app;
  const isComplete = () => isBuilt(scope) && isSchemaBuilt() && isDashboardBuilt();
  if (isInstalled({ dev: tests || !isComplete() }) && isComplete()) return;

  mkdirSync(inRoot('dist'), { recursive: true });

  const release = await acquireFileMutex(inRoot('dist', '.prepare.lock'), { print });
  try {
    if (!isInstalled({ dev: tests || !isComplete() })) await install();
    if (!isBuilt(scope)) await build(scope);
    // In processes of their own, so that no command keeps their packages in memory.
    if (!isSchemaBuilt()) await execute(process.execPath, [inRoot('scripts', 'build-schema.mjs')]);
    if (!isDashboardBuilt())
      await execute(process.execPath, [inRoot('scripts', 'build-dashboard.mjs')]);
  } finally {
    release();
  }
}

/** Checks "engines" of package.json, because npm only warns. */
function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const least = { 20: 19, 22: 13, 24: 11 }[major];
  if (least === undefined ? major > 24 : minor >= least) return;
  throw new Error(`needs Node 20.19, 22.13, 24.11 or newer; this is ${process.version}`);
}

/** Prepares, then runs the compiled file `entry` (relative to the root) in this process. */
export async function run(entry, args) {
  await prepare({ tests: !/^dist\/(cli|src|tools|workers)\//.test(entry) });
  const file = inRoot(entry);
  process.argv = [process.argv[0], file, ...args];
  process.setSourceMapsEnabled(true);
  return import(file);
}

/** The stamp of a complete installation holds the SHA-256 of package-lock.json. */
function isInstalled({ dev }) {
  const modules = inRoot('node_modules');
  // A linked folder is installed elsewhere.
  if (existsSync(modules) && lstatSync(modules).isSymbolicLink()) return true;
  const lock = readFileSync(inRoot('package-lock.json'));
  const digest = createHash('sha256').update(lock).digest('hex');
  const stamp = inRoot('node_modules', '.signalpost-stamp');
  if (readText(stamp) === digest) return true;
  if (!holdsAll(JSON.parse(lock.toString()).packages, dev)) return false;
  if (dev) writeFileSync(stamp, digest);
  return true;
}

/** Compares with npm's own list of installed packages, so that an `npm ci` by hand counts too. */
function holdsAll(wanted, dev) {
  const text = readText(inRoot('node_modules', '.package-lock.json'));
  if (text === undefined) return false;
  const present = JSON.parse(text).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.optional || entry.devOptional || (entry.dev && !dev)) return true;
    return present[path]?.version === entry.version && present[path]?.integrity === entry.integrity;
  });
}

async function install() {
  print('installing the locked dependencies (only when they changed; about a minute) …');
  const begin = performance.now();
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const isNpm = npm !== undefined && /npm-cli\.c?js$/.test(npm);
  await (isNpm ? execute(process.execPath, [npm, ...args]) : execute('npm', args));
  if (!isInstalled({ dev: true }))
    throw new Error('npm ci succeeded, but packages are missing: remove node_modules, then repeat');
  print(`installed in ${seconds(begin)} s`);
}

/** True when dist/ is compiled from exactly these sources. */
function isBuilt(scope) {
  // A container image may have only the compiled code.
  if (!existsSync(inRoot('src')) && existsSync(inRoot('dist', 'src'))) return true;
  return (
    readText(stampOf(scope)) === sourceDigest(root, scope) && existsSync(inRoot('dist', 'src'))
  );
}

/**
 * The SHA-256 of all that a compilation reads, with the names of the files.
 * @param {string} root the folder of package.json
 * @param {{ config: string, sources: string[] }} scope paths in it
 */
function sourceDigest(root, { config, sources }) {
  const files = sources.flatMap((source) => filesBelow(join(root, source))).sort();
  const settings = [config, 'tsconfig.json', 'package-lock.json'].map((name) => join(root, name));
  const hash = createHash('sha256');
  for (const file of [...files, ...settings]) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!lstatSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

async function build(scope) {
  print('compiling …');

  const begin = performance.now();
  const digest = sourceDigest(root, scope);

  rmSync(stampOf(scope), { force: true });

  // Without its outputs, the incremental state of the compiler is wrong.
  if (!existsSync(inRoot('dist', 'src'))) {
    for (const name of ['build.tsbuildinfo', 'all.tsbuildinfo']) {
      rmSync(inRoot('dist', name), { force: true });
    }
  }

  await execute(process.execPath, [compiler, '-p', inRoot(scope.config)]);
  removeOrphans();
  writeFileSync(stampOf(scope), digest);

  // Compiling everything includes the application.
  if (scope === scopes.all) writeFileSync(stampOf(scopes.app), sourceDigest(root, scopes.app));
  print(`compiled in ${seconds(begin)} s`);
}

/** Makes the next command compile again with type checks. */
export function discardBuild() {
  for (const scope of Object.values(scopes)) rmSync(stampOf(scope), { force: true });
}

function stampOf({ config }) {
  return inRoot('dist', `.${config}.stamp`);
}

/** Removes compiled files without a source, which would still be run and imported. */
function removeOrphans() {
  for (const folder of ['src', 'workers', 'tools', 'cli', 'clients', 'test', 'scripts', 'bench']) {
    const compiled = inRoot('dist', folder);
    if (!existsSync(compiled)) continue;
    for (const name of readdirSync(compiled, { recursive: true })) {
      const match = /^(.*)\.js(\.map)?$/.exec(String(name));
      if (match && !existsSync(inRoot(folder, `${match[1]}.ts`)))
        rmSync(join(compiled, String(name)));
    }
  }
}

/** Runs a program to its end; its standard output goes to our standard error. */
function execute(file, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: root, stdio: ['ignore', 2, 2] });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${[file, ...args].join(' ')} ended with ${signal ?? code}`));
    });
  });
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function seconds(begin) {
  return ((performance.now() - begin) / 1_000).toFixed(0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await prepare();
