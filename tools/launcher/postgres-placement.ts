import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Binaries, canRun, copyBinaries, findBinaries } from './binaries.js';
import { findCluster, defaultClusterPath, externalFolderOf } from './database-path.js';
import { runAs, type UnixUser } from './run-as.js';

/** The folders and the user of the embedded PostgreSQL. */
export interface PostgresPlacement {
  /** PostgreSQL's data directory; may not exist yet. */
  readonly cluster: string;
  readonly binaries: Binaries;
  /** The user that runs PostgreSQL; undefined for the user of this process. */
  readonly user: UnixUser | undefined;
  /** The folder outside DATA_DIR that had to be used, if any. */
  readonly outside: string | undefined;
  /** A cluster that an earlier DATA_DIR of this name left behind, if any; it is not touched. */
  readonly leftBehind?: string | undefined;
}

/** PostgreSQL cannot run on this machine; the message names the next step. */
class PlacementFailed extends Error {
  constructor(reason: string) {
    super(`${reason} Start as a normal user, or set DATABASE_URL.`);
    this.name = 'PlacementFailed';
  }
}

/**
 * Decides where the embedded PostgreSQL of `dataDir` is. An existing cluster stays where it is, also
 * after `dataDir` was moved. PostgreSQL refuses to run as root: then it runs as the user `postgres`,
 * which is created when missing. If that user cannot enter `dataDir`, the cluster and a copy of the
 * programs go to `/var/lib/signalpost/<hash of dataDir>`.
 * @param dataDir an existing folder
 * @throws BinariesNotFound, PlacementFailed, and the errors of findCluster()
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
    cluster,
    user,
    leftBehind,
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
        `root, or make this user the owner of ${dirname(cluster)} (chown -R).`,
    );
  }
  return { cluster, binaries, user: undefined, outside: undefined };
}

/** The placement of an existing cluster when we are root: its owner runs PostgreSQL. */
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
