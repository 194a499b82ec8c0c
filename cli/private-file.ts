import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from './failure.js';

/** Writes a file of mode 0600 in a folder of mode 0700, atomically. */
export function writePrivateFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  chmodSync(dirname(path), 0o700);
  const temporary = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Reads a file that only its owner may read.
 * @returns undefined if it does not exist
 * @throws Failure if other users can read it or its folder
 */
export function readPrivateFile(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    refuseOthers(dirname(path));
    refuseOthers(path);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function refuseOthers(path: string): void {
  // Windows has no file modes.
  if (process.platform === 'win32') return;
  const { mode } = statSync(path);
  if ((mode & 0o077) === 0) return;
  throw new Failure(
    `Other users can read ${path} (mode ${(mode & 0o777).toString(8)}): run chmod go= ${path}, and replace the key if others may have seen it.`,
  );
}
