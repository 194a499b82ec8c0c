// The files of a DATA_DIR: the URL and the path of its database, its keys, the certificate authority of its receivers.
//
// Each file is complete or absent, whenever a process is killed: it is written under another name and then renamed
// or linked. `database-url` belongs to exactly one cluster. A cluster that cannot be in DATA_DIR names its DATA_DIR
// in the file `data-dir` beside it, so that no copy of that folder can use it, too.
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** Creates `dataDir` if it is missing. Returns its path without links, so that one folder has one name. */
export function ensureDataDir(dataDir: string): string {
  // The user of PostgreSQL must be able to pass a folder of root. Secrets in it have mode 0600.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  mkdirSync(dataDir, { recursive: true, mode });
  return realpathSync(dataDir);
}

/** Returns the text of a file; undefined if there is no such file. */
export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Creates a file that only its owner may read, unless another process has created it. Replaces an empty file, which
 * a full disk may have left.
 */
export function createPrivateFile(path: string, text: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    if (readIfPresent(path)?.trim() === '') rmSync(path);
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Writes a file that only its owner may read. A process killed midway leaves the old file intact. */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Returns the path of the file in `home` that holds the URL of its database, password included. */
export function databaseUrlFile(home: string): string {
  return join(home, 'database-url');
}

/** Returns the path of the file that holds the path of the cluster, absolute or relative to `home`. */
function databasePathFile(home: string): string {
  return join(home, 'database-path');
}

/** Returns the path of the file beside a cluster that names its DATA_DIR. The folder itself belongs to PostgreSQL. */
function ownerFile(cluster: string): string {
  return join(dirname(cluster), 'data-dir');
}

/** Returns the path of a cluster inside `home`. */
export function defaultClusterPath(home: string): string {
  return join(home, 'postgres');
}

/** Returns the temporary path of a cluster, which it has until it is complete and its URL is saved. */
export function draftPath(cluster: string): string {
  return `${cluster}.new`;
}

/** Returns the folder for a cluster and programs that cannot be in `dataDir`. */
export function externalFolderOf(dataDir: string): string {
  const hash = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16);
  return join('/var/lib/signalpost', hash);
}

/** Returns the path of the certificate of the CA for receivers on this machine. */
export function authorityFile(dataDir: string): string {
  return join(dataDir, 'receiver-ca.pem');
}

/** Returns the path of the private key of that CA. */
export function authorityKeyFile(dataDir: string): string {
  return join(dataDir, 'receiver-ca-key.pem');
}

/** Returns the path of the CA certificate; undefined unless certificate and key both exist. */
export function existingReceiverAuthority(dataDir: string): string | undefined {
  const path = authorityFile(dataDir);
  const files = [path, authorityKeyFile(dataDir)];
  return files.every((file) => readIfPresent(file) !== undefined) ? path : undefined;
}

/** Returns the recorded path of the cluster of `home`; the default path inside `home` if none is recorded. */
export function clusterPath(home: string): string {
  const text = readIfPresent(databasePathFile(home))?.trim();
  return text ? resolve(home, text) : defaultClusterPath(home);
}

/** True if `home` has a database, running or not, even if its URL or its folder is lost. */
export function holdsDatabase(home: string): boolean {
  return existsSync(databaseUrlFile(home)) || existsSync(clusterPath(home));
}

/**
 * Finds the cluster of the DATA_DIR `home`, which may have been moved since. Renames a complete draft
 * that a killed first start left. The caller holds the lock of `home`.
 * @returns undefined if none was ever created
 * @throws Error if the cluster or its URL is lost, or if another DATA_DIR uses it, too: an empty
 * database must never replace one that holds data
 */
export function findCluster(home: string): string | undefined {
  const cluster = clusterPath(home);

  if (!existsSync(databaseUrlFile(home))) {
    if (!existsSync(cluster)) return undefined;
    throw new Error(
      `${databaseUrlFile(home)} is missing, and with it the password of ${cluster}. ` +
        'Restore the file, or remove both to start with an empty database.',
    );
  }

  if (!existsSync(cluster) && existsSync(draftPath(cluster))) {
    renameSync(draftPath(cluster), cluster);
  }

  if (existsSync(cluster)) {
    rejectCopiedDataDir(home, cluster);
    return cluster;
  }

  throw new Error(
    `${databaseUrlFile(home)} belongs to a database that is not in ${cluster}. ` +
      `Restore it, or write the path of its folder into ${databasePathFile(home)}. ` +
      `To start with an empty database, remove ${databaseUrlFile(home)}.`,
  );
}

/** Records that `cluster` is the cluster of `home`. */
export function recordClusterPath(home: string, cluster: string): void {
  if (isInside(home, cluster)) {
    writeIfChanged(databasePathFile(home), relative(home, cluster));
  } else {
    writeIfChanged(databasePathFile(home), cluster);
    writeIfChanged(ownerFile(cluster), home);
  }
}

function rejectCopiedDataDir(home: string, cluster: string): void {
  if (isInside(home, cluster)) return;
  const owner = readIfPresent(ownerFile(cluster))?.trim();
  if (owner === undefined || owner === home || clusterPath(owner) !== cluster) return;
  throw new Error(
    `${home} is a copy of ${owner}: both name the database in ${cluster}. Copy that folder too and ` +
      `write the path of the copy into ${databasePathFile(home)}, or remove the DATA_DIR ` +
      'that is no longer used.',
  );
}

function isInside(home: string, path: string): boolean {
  const relativePath = relative(home, path);
  return !relativePath.startsWith('..') && !isAbsolute(relativePath);
}

function writeIfChanged(path: string, line: string): void {
  if (readIfPresent(path)?.trim() !== line) writePrivateFile(path, `${line}\n`);
}
