import { createHash } from 'node:crypto';
import { existsSync, realpathSync, renameSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { readIfPresent, writePrivateFile } from './private-file.js';

/** The folder for what cannot live in `dataDir`. */
export function externalFolderOf(dataDir: string): string {
  const hash = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16);
  return join('/var/lib/signalpost', hash);
}

/** The file in `home` that holds the address of its database, password included. */
export function databaseUrlFile(home: string): string {
  return join(home, 'database-url');
}

/** The file in `home` that says where its database lies; what is relative starts at `home`. */
function databasePathFile(home: string): string {
  return join(home, 'database-path');
}

/** Where a database lies that needs no place of its own. */
export function defaultClusterPath(home: string): string {
  return join(home, 'postgres');
}

/** What a cluster is called until it is whole and its address is written down. */
export function draftPath(cluster: string): string {
  return `${cluster}.new`;
}

/**
 * The cluster of the DATA_DIR `home`, wherever that was moved; gives it its name when the first start
 * was killed just before. Whoever calls holds the lock of `home`.
 * @param outside where an older release put a cluster that could not be in `home`
 * @returns undefined when none was ever made
 * @throws Error when it is lost, lacks its address, or belongs to another DATA_DIR too: an empty
 * database must never take the place of one that holds data
 */
export function findCluster(
  home: string,
  outside: string = externalFolderOf(home),
): string | undefined {
  const hasAddress = existsSync(databaseUrlFile(home));
  const candidates = clusterCandidates(home, outside, hasAddress);
  if (!hasAddress) {
    const closed = candidates.find((path) => existsSync(path));
    if (closed === undefined) return undefined;
    throw new Error(
      `${databaseUrlFile(home)} is missing, and with it the password of ${closed}. ` +
        'Restore the file, or remove both to begin with an empty database.',
    );
  }
  for (const cluster of candidates) {
    if (!existsSync(cluster) && existsSync(draftPath(cluster)))
      renameSync(draftPath(cluster), cluster);
    if (!existsSync(cluster)) continue;
    rejectCopiedDataDir(home, cluster);
    return cluster;
  }
  throw new Error(
    `${databaseUrlFile(home)} is the address of a database that is not in ` +
      `${candidates.join(' or ')}. Restore it, or write the path of its folder into ` +
      `${databasePathFile(home)}. To begin with an empty one, remove ${databaseUrlFile(home)}.`,
  );
}

/** Whether `home` has a database, running or not; one that lost its address, or itself, counts. */
export function holdsDatabase(home: string): boolean {
  if (existsSync(databaseUrlFile(home))) return true;
  return (
    existsSync(home) &&
    clusterCandidates(home, externalFolderOf(home), false).some((path) => existsSync(path))
  );
}

/** Writes down that `cluster` is the one of `home`. */
export function recordClusterPath(home: string, cluster: string): void {
  if (isInside(home, cluster)) {
    writeIfChanged(databasePathFile(home), relative(home, cluster));
  } else {
    writeIfChanged(databasePathFile(home), cluster);
    writeIfChanged(ownerFile(cluster), home);
  }
}

/** Where the cluster of `home` may be; where it is written down, only there. */
function clusterCandidates(home: string, outside: string, hasAddress: boolean): string[] {
  const named = recordedClusterPath(home);
  if (named !== undefined) return [named];
  // Without an address, what lies outside is the leftover of an earlier DATA_DIR of this name.
  return [defaultClusterPath(home), ...(hasAddress ? [join(outside, 'postgres')] : [])];
}

function recordedClusterPath(home: string): string | undefined {
  const text = readIfPresent(databasePathFile(home))?.trim();
  return text ? resolve(home, text) : undefined;
}

function rejectCopiedDataDir(home: string, cluster: string): void {
  if (isInside(home, cluster)) return;
  const owner = readIfPresent(ownerFile(cluster))?.trim();
  if (owner === undefined || owner === home || recordedClusterPath(owner) !== cluster) return;
  throw new Error(
    `${home} is a copy of ${owner}: both name the database in ${cluster}. Copy that folder too and ` +
      `write the path of the copy into ${databasePathFile(home)}, or remove the DATA_DIR ` +
      'that is no longer used.',
  );
}

/** The DATA_DIR that a cluster outside was last started for; beside it, its own folder is PostgreSQL's. */
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
