import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'signalpost-test-';
const folderPattern = new RegExp(`^${prefix}([0-9]+)-`);
/** A folder in memory that many systems have. */
const sharedMemory = '/dev/shm';
/** Free memory with which clusters of test runs beside one another may be kept there. */
const minFreeBytes = 6 * 2 ** 30;

/**
 * Makes a folder for a cluster, named after this process, so that {@link removeStaleFolders} knows whose it
 * is.
 * @param where `fast` where files are made and removed fastest: every database is hundreds of them
 */
export function makeFolder(where: 'fast' | 'temporary' = 'temporary'): string {
  return mkdtempSync(
    join(where === 'fast' ? fastestFolder() : tmpdir(), `${prefix}${process.pid}-`),
  );
}

/** Removes folders of test runs that were killed, unless their server lives on. */
export function removeStaleFolders(): void {
  for (const parent of [tmpdir(), sharedMemory].filter((each) => existsSync(each))) {
    for (const name of readdirSync(parent)) {
      const [, owner] = folderPattern.exec(name) ?? [];
      if (owner === undefined || isProcessAlive(Number(owner))) continue;
      const folder = join(parent, name);
      if (!isProcessAlive(serverIn(folder))) remove(folder);
    }
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another test run may be removing it at this moment.
  }
}

function fastestFolder(): string {
  if (!existsSync(sharedMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(sharedMemory);
  return Math.min(bavail * bsize, process.availableMemory()) < minFreeBytes
    ? tmpdir()
    : sharedMemory;
}

/** The process of the PostgreSQL server whose data are in a folder; 0 when there is none. */
function serverIn(folder: string): number {
  try {
    return Number.parseInt(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10) || 0;
  } catch {
    return 0;
  }
}

function isProcessAlive(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code !== 'ESRCH';
  }
}
