import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { databaseUrlFile, draftPath, recordClusterPath } from './database-path.js';
import type { PostgresPlacement } from './postgres-placement.js';
import { freePort } from './ports.js';
import { readIfPresent, writePrivateFile } from './private-file.js';
import { runAs } from './run-as.js';

/** The URL of the database of `dataDir`; undefined before its first start. */
function readDatabaseUrl(dataDir: string): URL | undefined {
  const text = readIfPresent(databaseUrlFile(dataDir));
  return text === undefined ? undefined : new URL(text.trim());
}

/** Gives the database of `dataDir` a free port and saves the new URL. */
export async function movePort(dataDir: string, url: URL): Promise<URL> {
  const moved = new URL(url);
  moved.port = String(await freePort());
  writePrivateFile(databaseUrlFile(dataDir), `${moved.href}\n`);
  return moved;
}

/**
 * Creates the cluster of `dataDir` and its URL when missing, and records where the cluster is.
 * @returns the URL of the database
 * @throws Error when initdb fails
 */
export async function ensureCluster(
  dataDir: string,
  { cluster, binaries, user }: PostgresPlacement,
): Promise<URL> {
  const known = readDatabaseUrl(dataDir);
  if (known) {
    recordClusterPath(dataDir, cluster);
    return known;
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
    const made = await runAs(user, join(binaries.bin, 'initdb'), [
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
    if (!made.ok) throw new Error(`initdb failed: ${made.output}`);
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

/** The major version of PostgreSQL that created `cluster`, such as "18". */
export function clusterVersion(cluster: string): string {
  return readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
}
