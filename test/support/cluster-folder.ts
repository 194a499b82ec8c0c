import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'signalpost-test-';
const ownerFile = 'owner';
/** A folder in memory that many systems have. */
const memory = '/dev/shm';
/** Free memory with which clusters of test runs beside one another may be kept there. */
const plenty = 6 * 2 ** 30;

/**
 * Makes a folder for a cluster; it names its process in it, so that {@link removeLeftOver} knows whose
 * it is.
 * @param where `fast` where files are made and removed fastest: every database is hundreds of them
 */
export function makeFolder(where: 'fast' | 'temporary' = 'temporary'): string {
  const folder = mkdtempSync(join(where === 'fast' ? fastFolder() : tmpdir(), prefix));
  writeFileSync(join(folder, ownerFile), String(process.pid));
  return folder;
}

/** Removes folders of test runs that were killed, unless their server lives on. */
export function removeLeftOver(): void {
  for (const parent of [tmpdir(), memory].filter((each) => existsSync(each))) {
    for (const name of readdirSync(parent).filter((each) => each.startsWith(prefix))) {
      const folder = join(parent, name);
      const owner = processIn(join(folder, ownerFile));
      const server = processIn(join(folder, 'data', 'postmaster.pid'));
      if (owner === 'gone' && server !== 'lives') remove(folder);
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

/** What became of the process that the first line of a file names. */
function processIn(file: string): 'lives' | 'gone' | 'unknown' {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    if (!(pid > 0)) return 'unknown';
    process.kill(pid, 0);
    return 'lives';
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT') return 'unknown';
    return code === 'ESRCH' ? 'gone' : 'lives';
  }
}
