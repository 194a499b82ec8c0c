import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { commandLineOf, identityOf } from './process-identity.js';

/** A living PostgreSQL server of a cluster. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

/** The server that runs on `cluster`, whichever process started it; undefined when none does. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const [pid, , , port] = pidFile(cluster) ?? [];
  if (pid === undefined || !isPostmaster(Number(pid), cluster)) return undefined;
  // The later lines may be missing while the server starts.
  return { pid: Number(pid), port: Number(port ?? 0) };
}

/**
 * Removes a stale `postmaster.pid`. PostgreSQL itself takes one for a living server when its pid
 * belongs to a zombie or to another program. Waits first until the backends of the dead server are
 * gone, because two servers on one cluster would destroy it.
 */
export async function clearStalePostmaster(cluster: string): Promise<void> {
  const [pid] = pidFile(cluster) ?? [];
  if (pid === undefined || findPostmaster(cluster)) return;
  // Only Linux shows backends. Elsewhere, PostgreSQL's own check of a dead pid is the better one.
  if (process.platform !== 'linux' && identityOf(Number(pid)) === undefined) return;
  for (let rounds = 0; backendsOf(cluster).length > 0; rounds++) {
    if (rounds === 20) for (const pid of backendsOf(cluster)) send(pid, 'SIGQUIT');
    if (rounds === 100)
      throw new Error(
        `Processes of a dead PostgreSQL still use ${cluster}: stop them, then start again.`,
      );
    await pause(100);
  }
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

/** Stops a server cleanly: it disconnects clients and writes everything, so no recovery follows. */
export async function stopPostmaster({ pid }: Postmaster, limitMs = 30_000): Promise<void> {
  const identity = identityOf(pid);
  const end = performance.now() + limitMs;
  // SIGINT is PostgreSQL's "fast" shutdown; SIGTERM waits for clients to disconnect.
  send(pid, 'SIGINT');
  while (identity !== undefined && identityOf(pid) === identity) {
    if (performance.now() > end) {
      send(pid, 'SIGQUIT');
      return;
    }
    await pause(20);
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

/** The processes whose working folder is `cluster`, as for all of a server; only Linux shows them. */
function backendsOf(cluster: string): number[] {
  if (process.platform !== 'linux') return [];
  const home = realpathSync(cluster);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && workingFolder(pid) === home && identityOf(pid));
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
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
