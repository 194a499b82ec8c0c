import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'signalpost-test-';
const folderPattern = new RegExp(`^${prefix}([0-9]+)-`);
/** A folder in memory, which many systems have. */
const sharedMemory = '/dev/shm';
/** The free memory that parallel test runs need to keep their clusters there. */
const minFreeBytes = 6 * 2 ** 30;

/**
 * Creates a folder for a cluster. Its name has the pid of this process for {@link removeStaleFolders}.
 * @param where `fast` chooses memory if there is enough: each database has hundreds of files
 */
export function makeFolder(where: 'fast' | 'temporary' = 'temporary'): string {
  return mkdtempSync(
    join(where === 'fast' ? fastestFolder() : tmpdir(), `${prefix}${process.pid}-`),
  );
}

/** Removes folders of killed test runs, unless their server still runs. */
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

/** The pid of the PostgreSQL server of a folder; 0 when there is none. */
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
