import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { readIfPresent } from './private-file.js';
import { identityOf } from './process-identity.js';

/** A lock that this process holds until it releases it or ends. */
export interface FileLock {
  release(): void;
}

/** A living process holds the lock. */
export class LockHeld extends Error {
  constructor(readonly pid: number) {
    super(`held by process ${pid}`);
    this.name = 'LockHeld';
  }
}

interface Holder {
  readonly pid: number;
  readonly identity: string;
  /** Distinguishes two locks of one process. */
  readonly nonce: string;
}

/**
 * Takes the lock file `path`, also when a process that has ended left it behind.
 * @throws LockHeld when a living process holds it
 */
export function takeLock(path: string): FileLock {
  const nonce = randomBytes(8).toString('hex');
  const mine = JSON.stringify({
    pid: process.pid,
    identity: identityOf(process.pid) ?? '',
    nonce,
  } satisfies Holder);
  const draft = `${path}.${nonce}`;
  writeFileSync(draft, mine, { mode: 0o644 });
  try {
    for (;;) {
      // A link appears with its content or not at all: no process ever reads half a lock.
      if (tryLink(draft, path)) return { release: () => release(path, mine) };
      const text = readIfPresent(path);
      if (text === undefined) continue;
      const pid = livingHolder(text);
      if (pid !== undefined) throw new LockHeld(pid);
      discard(path, text, `${draft}.stale`);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The pid of the living process that holds the lock file `path`; undefined when it is free. */
export function holderOf(path: string): number | undefined {
  const text = readIfPresent(path);
  return text === undefined ? undefined : livingHolder(text);
}

/**
 * Takes the lock file `path`; waits while another process holds it.
 * @throws LockHeld after `limitMs`
 */
export async function awaitLock(path: string, limitMs: number): Promise<FileLock> {
  const end = performance.now() + limitMs;
  for (;;) {
    try {
      return takeLock(path);
    } catch (error) {
      if (!(error instanceof LockHeld) || performance.now() > end) throw error;
    }
    await pause(50);
  }
}

/** Removes a stale lock, unless a living process replaced it after we read it. */
function discard(path: string, stale: string, aside: string): void {
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (readFileSync(aside, 'utf8') !== stale) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function release(path: string, mine: string): void {
  if (readIfPresent(path) === mine) rmSync(path, { force: true });
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function livingHolder(text: string): number | undefined {
  try {
    const { pid, identity } = JSON.parse(text) as Holder;
    return identityOf(pid) === identity ? pid : undefined;
  } catch {
    // The file is not a lock of ours.
    return undefined;
  }
}
