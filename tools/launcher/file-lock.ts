import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { readIfPresent } from './private-file.js';
import { identityOf } from './process-identity.js';

/** A lock that this process holds until it lets go or ends. */
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
  /** Tells two locks of one process apart. */
  readonly nonce: string;
}

/**
 * Takes the lock file `path`; one left by a process that no longer lives is taken over.
 * @throws LockHeld
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
      // A link appears with its content, or not at all: nobody ever reads half a lock.
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

/** The living process that holds the lock file `path`; undefined when nobody does. */
export function holderOf(path: string): number | undefined {
  const text = readIfPresent(path);
  return text === undefined ? undefined : livingHolder(text);
}

/**
 * Takes the lock file `path`, waiting while somebody holds it.
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

/** Removes a stale lock, unless a living process replaced it between the look and the removal. */
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
    // Not a lock that we wrote.
    return undefined;
  }
}
