import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'signalpost-test-';
const named = new RegExp(`^${prefix}([0-9]+)-`);
/** A folder in memory that many systems have. */
const memory = '/dev/shm';
/** Free memory with which clusters of test runs beside one another may be kept there. */
const plenty = 6 * 2 ** 30;

/**
 * Makes a folder for a cluster, named after this process, so that {@link removeLeftOver} knows whose it
 * is.
 * @param where `fast` where files are made and removed fastest: every database is hundreds of them
 */
export function makeFolder(where: 'fast' | 'temporary' = 'temporary'): string {
  return mkdtempSync(join(where === 'fast' ? fastFolder() : tmpdir(), `${prefix}${process.pid}-`));
}

/** Removes folders of test runs that were killed, unless their server lives on. */
export function removeLeftOver(): void {
  for (const parent of [tmpdir(), memory].filter((each) => existsSync(each))) {
    for (const name of readdirSync(parent)) {
      const [, owner] = named.exec(name) ?? [];
      if (owner === undefined || lives(Number(owner))) continue;
      const folder = join(parent, name);
      if (!lives(serverIn(folder))) remove(folder);
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

function fastFolder(): string {
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return Math.min(bavail * bsize, process.availableMemory()) < plenty ? tmpdir() : memory;
}

/** The process of the PostgreSQL server whose data are in a folder; 0 when there is none. */
function serverIn(folder: string): number {
  try {
    return Number.parseInt(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10) || 0;
  } catch {
    return 0;
  }
}

function lives(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code !== 'ESRCH';
  }
}
