import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endless, type Patience } from './file-lock.js';
import { commandLineOf, identityOf } from './process-identity.js';

/** A living PostgreSQL server of a cluster. */
export interface Postmaster {
  readonly pid: number;
  /** 0 while it has not written its port. */
  readonly port: number;
  /** As it says itself: `starting`, `ready` or `stopping`; '' before it says one. */
  readonly state: string;
}

/** The server that runs on `cluster`, whichever process started it; undefined when none does. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const [pid, , , port = '0', , , , state = ''] = pidFile(cluster) ?? [];
  if (pid === undefined || !isPostmaster(Number(pid), cluster)) return undefined;
  return { pid: Number(pid), port: Number(port), state: state.trim() };
}

/** True once somebody asked the server of `cluster` to stop, even while it waits for its clients. */
export function isStopping(cluster: string): boolean {
  try {
    return pidFile(cluster)?.[7]?.trim() === 'stopping';
  } catch {
    // Who cannot read it now, can later.
    return false;
  }
}

/**
 * Removes a stale `postmaster.pid`. PostgreSQL itself takes one for a living server when its pid
 * belongs to a zombie or to another program. Waits first until the backends of the dead server are
 * gone, because two servers on one cluster would destroy it.
 */
export async function clearStalePostmaster(
  cluster: string,
  { signal, onWait }: Patience,
): Promise<void> {
  const [pid] = pidFile(cluster) ?? [];
  if (pid === undefined || findPostmaster(cluster)) return;
  // Only Linux shows backends. Elsewhere, PostgreSQL's own check of a dead pid is the better one.
  if (process.platform !== 'linux' && identityOf(Number(pid)) === undefined) return;

  for (let rounds = 0; ; rounds++) {
    const backends = backendsOf(cluster);
    if (backends.length === 0) break;
    onWait(`processes of a dead PostgreSQL still use ${cluster}: ${backends.join(', ')}`);
    // Without a server they have nothing to save. SIGKILL also ends those that were paused.
    if (rounds === 20) for (const backend of backends) send(backend, 'SIGKILL');
    await pause(100, undefined, { signal });
  }
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

/**
 * Stops a server cleanly: it disconnects clients and writes everything, so no recovery follows. Ends
 * it at once when it has not stopped after `limitMs`; a recovery follows then.
 * @throws Error when the signal ends the wait
 */
export async function stopPostmaster(
  { pid }: Pick<Postmaster, 'pid'>,
  limitMs = 30_000,
  { signal, onWait } = endless,
): Promise<void> {
  const identity = identityOf(pid);
  const limit = performance.now() + limitMs;
  let quit = false;
  // SIGINT is PostgreSQL's "fast" shutdown; SIGTERM waits for clients to disconnect.
  send(pid, 'SIGINT');
  while (identity !== undefined && identityOf(pid) === identity) {
    if (!quit && performance.now() > limit) {
      send(pid, 'SIGQUIT');
      quit = true;
    }
    onWait(`PostgreSQL (process ${pid}) is shutting down`);
    await pause(20, undefined, { signal });
  }
}

function isPostmaster(pid: number, cluster: string): boolean {
  if (identityOf(pid) === undefined) return false;
  const line = commandLineOf(pid);
  return /postgres[\0 ]-D[\0 ]/.test(line) && line.includes(cluster);
}

function pidFile(cluster: string): string[] | undefined {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The processes of PostgreSQL whose working folder is `cluster`, as for all of a server; only on Linux. */
function backendsOf(cluster: string): number[] {
  if (process.platform !== 'linux') return [];
  const home = realpathSync(cluster);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isBackend(pid, home) && identityOf(pid) !== undefined);
}

/** False for others who stand in the folder, such as the shell of an operator. */
function isBackend(pid: number, home: string): boolean {
  const program = linkOf(pid, 'exe') ?? '';
  // The system appends " (deleted)" after an upgrade of the programs.
  return linkOf(pid, 'cwd') === home && basename(program).split(' ')[0] === 'postgres';
}

function linkOf(pid: number, name: 'cwd' | 'exe'): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/${name}`);
  } catch {
    // The process has ended or belongs to another user.
    return undefined;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
