// A mutex between processes, by a lock file. Plain JavaScript without dependencies: it runs before
// anything is installed.
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

// An installation over a slow network takes some minutes. A longer wait means that the holder hangs, or
// that another process got the pid of a killed holder.
const maxWaitMs = 10 * 60_000;

/**
 * Waits until no other living process holds the lock file `path`, then takes it. Replaces the lock of
 * a process that has ended.
 * @param {string} path
 * @param {{ print: (line: string) => void, limitMs?: number, isAlive?: (pid: number) => boolean }} options
 * @returns {Promise<() => void>} releases the lock
 * @throws Error after `limitMs`
 */
export async function acquireFileMutex(path, { print, limitMs = maxWaitMs, isAlive = exists }) {
  const end = performance.now() + limitMs;
  const nonce = randomBytes(8).toString('hex');
  const mine = `${process.pid} ${nonce}\n`;
  const draft = `${path}.${nonce}`;
  writeFileSync(draft, mine);

  try {
    for (let reported = false; ; reported = true) {
      // A link appears with its content or not at all: no process ever reads half a lock.
      if (tryLink(draft, path)) return () => releaseFileMutex(path, mine);

      const text = readText(path);
      if (text === undefined) continue;

      const holder = Number.parseInt(text, 10);
      if (!(holder > 0 && isAlive(holder))) {
        removeStaleLock(path, text, `${draft}.stale`);
      } else if (!reported) {
        print(`waiting for process ${holder}, which installs or compiles`);
      }

      if (performance.now() > end) {
        throw new Error(
          `process ${holder} has installed or compiled for more than ${limitMs} ms: ` +
            `end it or, if it is another program, remove ${path}`,
        );
      }

      await pause(100);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes a stale lock, unless a living process replaced it after we read it. */
function removeStaleLock(path, stale, aside) {
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (readText(aside) !== stale) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function releaseFileMutex(path, mine) {
  if (readText(path) === mine) rmSync(path, { force: true });
}

function tryLink(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function exists(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
