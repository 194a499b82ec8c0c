import { createHash } from 'node:crypto';
import { existsSync, realpathSync, renameSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { readIfPresent, writePrivateFile } from './private-file.js';

/** The folder for a cluster, and for programs, that cannot be in `dataDir`. */
export function externalFolderOf(dataDir: string): string {
  const hash = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16);
  return join('/var/lib/signalpost', hash);
}

/** The file in `home` that holds the URL of its database, password included. */
export function databaseUrlFile(home: string): string {
  return join(home, 'database-url');
}

/** The file in `home` that holds the path of its cluster; a relative path starts at `home`. */
function databasePathFile(home: string): string {
  return join(home, 'database-path');
}

/** The folder of a cluster inside `home`. */
export function defaultClusterPath(home: string): string {
  return join(home, 'postgres');
}

/** The name of a cluster until it is complete and its URL is saved. */
export function draftPath(cluster: string): string {
  return `${cluster}.new`;
}

/**
 * Finds the cluster of the DATA_DIR `home`, which may have been moved since. Renames a complete draft
 * that a killed first start left. The caller holds the lock of `home`.
 * @returns undefined when none was ever created
 * @throws Error when the cluster or its URL is lost, or another DATA_DIR uses it too: an empty
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
  if (!existsSync(cluster) && existsSync(draftPath(cluster)))
    renameSync(draftPath(cluster), cluster);
  if (existsSync(cluster)) {
    rejectCopiedDataDir(home, cluster);
    return cluster;
  }
  throw new Error(
    `${databaseUrlFile(home)} belongs to a database that is not in ${cluster}. ` +
      `Restore it, or write the path of its folder into ${databasePathFile(home)}. ` +
      `To start with an empty one, remove ${databaseUrlFile(home)}.`,
  );
}

/** True when `home` has a database, running or not. One whose URL or folder is lost counts. */
export function holdsDatabase(home: string): boolean {
  return existsSync(databaseUrlFile(home)) || existsSync(clusterPath(home));
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

/** The recorded path of the cluster of `home`; inside it until one is recorded. */
export function clusterPath(home: string): string {
  const text = readIfPresent(databasePathFile(home))?.trim();
  return text ? resolve(home, text) : defaultClusterPath(home);
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

/** The file beside a cluster that names its DATA_DIR. The folder of the cluster is PostgreSQL's own. */
function ownerFile(cluster: string): string {
  return join(dirname(cluster), 'data-dir');
}

function isInside(home: string, path: string): boolean {
  const relativePath = relative(home, path);
  return !relativePath.startsWith('..') && !isAbsolute(relativePath);
}

function writeIfChanged(path: string, line: string): void {
  if (readIfPresent(path)?.trim() !== line) writePrivateFile(path, `${line}\n`);
}
