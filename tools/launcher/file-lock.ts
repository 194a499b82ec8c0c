// Locks between processes: a file that names its holder. A library's lock with a time limit could let two servers open
// one cluster, so a lock is free only once its holder has ended: `kill -9` frees it at once. A number alone does not
// name a process, because systems reuse them; the identity of process-identity.ts does.
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { readIfPresent } from './data-dir.js';
import { identityOf } from './process-identity.js';

/** A lock that this process holds until it releases it or ends. */
export interface FileLock {
  release(): void;
}

/** A living process holds the lock. */
export class LockHeld extends Error {
  constructor(
    readonly pid: number,
    path: string,
  ) {
    super(`process ${pid} holds ${path}`);
    this.name = 'LockHeld';
  }
}

/** The signal that ends a wait, and a callback for its reasons. */
export interface WaitOptions {
  /** Ends every wait. */
  readonly signal: AbortSignal;
  /** Called repeatedly during a wait, with its reason. */
  readonly onWait: (reason: string) => void;
}

/** Waits without a limit and reports no reasons. */
export const defaultWait: WaitOptions = {
  signal: new AbortController().signal,
  onWait: () => undefined,
};

const printedAfterMs = 2_000;

/** Creates an `onWait` that prints each reason once, beginning 2 seconds after this call. */
export function printWaits(print: (line: string) => void): WaitOptions['onWait'] {
  const began = performance.now();
  const printed = new Set<string>();
  return (reason) => {
    if (performance.now() - began < printedAfterMs || printed.has(reason)) return;
    printed.add(reason);
    print(`Waiting: ${reason}.`);
  };
}

interface Holder {
  readonly pid: number;
  readonly identity: string;
  /** Tells apart two locks of one process. */
  readonly nonce: string;
}

/**
 * Takes the lock file `path`, even if a process that has ended left it.
 * @throws LockHeld if a living process holds it
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
      if (pid !== undefined) throw new LockHeld(pid, path);
      discard(path, text, `${draft}.stale`);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Returns the pid of the living process that holds the lock file `path`; undefined if it is free. */
export function holderOf(path: string): number | undefined {
  const text = readIfPresent(path);
  return text === undefined ? undefined : livingHolder(text);
}

/**
 * Takes the lock file `path`, and waits while another process holds it.
 * @throws LockHeld if `signal` ends the wait
 */
export async function awaitLock(path: string, { signal, onWait }: WaitOptions): Promise<FileLock> {
  for (;;) {
    try {
      return takeLock(path);
    } catch (error) {
      if (!(error instanceof LockHeld) || signal.aborted) throw error;
      onWait(error.message);
    }
    await pause(50, undefined, { signal }).catch(() => undefined);
  }
}

/** Removes a stale lock, unless a living process has replaced it since we read it. */
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
