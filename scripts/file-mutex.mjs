// Turns of processes that would disturb one another, by a lock file. Plain JavaScript without
// dependencies: it runs before anything is installed.
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

// An installation over a slow line takes some minutes; more than this is a process that hangs, or
// one that got the number of a holder that was killed.
const maxWaitMs = 10 * 60_000;

/**
 * Waits until no other living process holds the lock file `path`; the lock of a process that ended
 * is taken over.
 * @param {string} path
 * @param {{ say: (line: string) => void, limitMs?: number, isAlive?: (pid: number) => boolean }} options
 * @returns {Promise<() => void>} what ends the turn
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
      // A link appears with its content, or not at all: nobody ever reads half a lock.
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
          `process ${holder} has been installing or compiling for too long; ` +
            `end it, or if it is another program, remove ${path}`,
        );
      }
      await pause(100);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes a stale lock, unless a living process replaced it between the look and the removal. */
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
