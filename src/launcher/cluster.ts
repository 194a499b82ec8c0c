import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { outsideOf, type Placement } from './placement.js';
import { freePort } from './ports.js';
import { findPostmaster, stopPostmaster } from './postmaster.js';
import { readIfPresent, writePrivateFile } from './private-file.js';
import { runAs } from './run-as.js';

/** The file in `dataDir` that holds the address of its database, password included. */
export function databaseUrlFile(dataDir: string): string {
  return join(dataDir, 'database-url');
}

/** Whether `dataDir` has a database, running or not; one whose address is lost counts. */
export function holdsDatabase(dataDir: string): boolean {
  if (!existsSync(dataDir)) return false;
  return [dataDir, outsideOf(dataDir)].some((home) => existsSync(join(home, 'postgres')));
}

/** The address of the database of `dataDir`; undefined before its first start. */
function readDatabaseUrl(dataDir: string): URL | undefined {
  const text = readIfPresent(databaseUrlFile(dataDir));
  return text === undefined ? undefined : new URL(text.trim());
}

/** Gives the database of `dataDir` a free port and writes its address down. */
export async function movePort(dataDir: string, url: URL): Promise<URL> {
  const moved = new URL(url);
  moved.port = String(await freePort());
  writePrivateFile(databaseUrlFile(dataDir), `${moved.href}\n`);
  return moved;
}

/**
 * Makes the cluster and its address unless both are there.
 * @returns the address, and where a cluster that nobody has the password of was put aside
 * @throws Error when a cluster inside `dataDir` lacks its address, or initdb fails
 */
export async function ensureCluster(
  dataDir: string,
  { cluster, binaries, user, outside }: Placement,
): Promise<{ url: URL; putAside: string | undefined }> {
  const known = readDatabaseUrl(dataDir);
  if (known && existsSync(cluster)) return { url: known, putAside: undefined };
  let putAside: string | undefined;
  if (existsSync(cluster)) {
    if (!outside) {
      throw new Error(
        `${databaseUrlFile(dataDir)} is gone, and with it the password of ${cluster}. ` +
          'Bring the file back, or remove both to begin with an empty database.',
      );
    }
    putAside = await setAside(cluster);
  }
  const url = new URL('postgres://signalpost@127.0.0.1/signalpost');
  url.password = randomBytes(24).toString('base64url');
  const draft = `${cluster}.new`;
  const passwordFile = join(dirname(cluster), 'initdb-password');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writePrivateFile(passwordFile, url.password);
  try {
    if (user) for (const path of [draft, passwordFile]) chownSync(path, user.uid, user.gid);
    const made = await runAs(user, join(binaries.bin, 'initdb'), [
      ...['-D', draft, '-U', url.username, '-A', 'scram-sha-256'],
      ...[`--pwfile=${passwordFile}`, '-E', 'UTF8', '--locale=C'],
    ]);
    if (!made.ok) throw new Error(`initdb failed: ${made.output}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  // The address first: a cluster without one cannot be opened again, the other way round it can.
  const placed = await movePort(dataDir, url);
  renameSync(draft, cluster);
  return { url: placed, putAside };
}

/** The major version that made `cluster`, such as "18". */
export function clusterVersion(cluster: string): string {
  return readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
}

/** A cluster outside DATA_DIR whose DATA_DIR was removed is kept, under another name. */
async function setAside(cluster: string): Promise<string> {
  const running = findPostmaster(cluster);
  if (running) await stopPostmaster(running);
  const aside = `${cluster}.${new Date().toISOString().replace(/[:.]/g, '-')}`;
  renameSync(cluster, aside);
  return aside;
}
