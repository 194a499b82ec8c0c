import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Binaries, canRun, copyBinaries, findBinaries } from './binaries.js';
import { findCluster, defaultClusterPath, externalFolderOf } from './database-path.js';
import { runAs, type UnixUser } from './run-as.js';

/** Where the embedded PostgreSQL lives and as whom it runs. */
export interface PostgresPlacement {
  /** PostgreSQL's data directory; may not exist yet. */
  readonly cluster: string;
  readonly binaries: Binaries;
  /** Undefined: the user of this process. */
  readonly user: UnixUser | undefined;
  /** The folder outside DATA_DIR that had to be used, if any. */
  readonly outside: string | undefined;
  /** A cluster that an earlier DATA_DIR of this name left behind, if any; it stays as it is. */
  readonly leftBehind?: string | undefined;
}

/** PostgreSQL cannot be brought here; the message says what the reader can do. */
class PlacementFailed extends Error {
  constructor(reason: string) {
    super(`${reason} Start as a normal user, or set DATABASE_URL.`);
    this.name = 'PlacementFailed';
  }
}

/**
 * Decides where the embedded PostgreSQL of `dataDir` lives: where it did, wherever `dataDir` was moved.
 * PostgreSQL refuses to run as root: there it runs as the user `postgres`, made when missing; and
 * where that user cannot come, the cluster and a copy of the programs live in
 * `/var/lib/signalpost/<hash of dataDir>`.
 * @param dataDir an existing folder
 * @throws NoBinaries, NoPlace, whatever findCluster() throws
 */
export async function choosePlacement(dataDir: string): Promise<PostgresPlacement> {
  const known = findCluster(dataDir);
  const binaries = await findBinaries();
  if (process.getuid?.() !== 0) return ownPlacement(known ?? defaultClusterPath(dataDir), binaries);
  if (known !== undefined) return placementOf(known, dataDir, binaries);
  const user = await postgresUser();
  if (await canEnter(user, dataDir)) {
    const programs = await ensureRunnable(binaries, user, externalFolderOf(dataDir));
    return { cluster: defaultClusterPath(dataDir), user, ...programs };
  }
  const { folder, leftBehind } = unusedFolder(externalFolderOf(dataDir));
  makePublicFolder(folder);
  const cluster = join(folder, 'postgres');
  return {
    ...{ cluster, user, leftBehind },
    ...(await ensureRunnable(binaries, user, folder)),
    outside: folder,
  };
}

/** PostgreSQL as the user of this process. */
function ownPlacement(cluster: string, binaries: Binaries): PostgresPlacement {
  const owner = statSync(cluster, { throwIfNoEntry: false })?.uid;
  if (owner !== undefined && process.getuid && owner !== process.getuid()) {
    throw new Error(
      `The database in ${cluster} belongs to the user with id ${owner}: start as that user or as ` +
        `root, or give ${dirname(cluster)} to this user (chown -R).`,
    );
  }
  return { cluster, binaries, user: undefined, outside: undefined };
}

/** Made by a normal user, or by an earlier start as root: its owner runs it. */
async function placementOf(
  cluster: string,
  dataDir: string,
  binaries: Binaries,
): Promise<PostgresPlacement> {
  const { uid, gid } = statSync(cluster);
  const user = uid === 0 ? await postgresUser() : { uid, gid };
  if (!(await canEnter(user, cluster))) {
    throw new Error(
      `The user with id ${user.uid}, as whom PostgreSQL runs, cannot enter ${cluster}: ` +
        'give it that folder (chown -R) and the way through the folders above it (chmod o+x).',
    );
  }
  const isInside = cluster === defaultClusterPath(dataDir);
  const folder = isInside ? externalFolderOf(dataDir) : dirname(cluster);
  const programs = await ensureRunnable(binaries, user, folder);
  return { cluster, user, ...programs, ...(!isInside && { outside: folder }) };
}

/** A folder without a cluster: one that is there may belong to a DATA_DIR that was moved. */
function unusedFolder(first: string): { folder: string; leftBehind: string | undefined } {
  const holds = (folder: string) => existsSync(join(folder, 'postgres'));
  if (!holds(first)) return { folder: first, leftBehind: undefined };
  let number = 2;
  while (holds(`${first}-${number}`)) number += 1;
  return { folder: `${first}-${number}`, leftBehind: join(first, 'postgres') };
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

async function postgresUser(): Promise<UnixUser> {
  const known = await lookUp('postgres');
  if (known) return known;
  const group = await runAs(undefined, 'groupadd', ['--system', 'postgres']);
  const made = await runAs(undefined, 'useradd', [
    ...['--system', '--no-create-home', '--home-dir', '/nonexistent'],
    ...['--shell', '/usr/sbin/nologin', '--gid', 'postgres', 'postgres'],
  ]);
  const user = await lookUp('postgres');
  if (user) return user;
  throw new PlacementFailed(
    'PostgreSQL does not run as root, and the user "postgres" could not be created ' +
      `(${[group, made].map(({ output }) => output).join('; ')}).`,
  );
}

async function lookUp(name: string): Promise<UnixUser | undefined> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map((which) => runAs(undefined, 'id', [which, name])),
  );
  if (!uid?.ok || !gid?.ok) return undefined;
  return { uid: Number(uid.output), gid: Number(gid.output) };
}
