import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { commandLineOf, identityOf } from './process-identity.js';

/** A living PostgreSQL server of a cluster. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

/** The server that runs on `cluster`, whoever started it; undefined when there is none. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const [pid, , , port] = pidFile(cluster) ?? [];
  if (pid === undefined || !isPostmaster(Number(pid), cluster)) return undefined;
  // While it starts, the later lines may still be missing.
  return { pid: Number(pid), port: Number(port ?? 0) };
}

/**
 * Removes a `postmaster.pid` that PostgreSQL itself would take for a living server: one whose number
 * belongs to a zombie or to another program. Waits first until the dead server's backends are gone,
 * since two servers on one cluster would destroy it.
 */
export async function clearStalePostmaster(cluster: string): Promise<void> {
  const [pid] = pidFile(cluster) ?? [];
  if (pid === undefined || findPostmaster(cluster)) return;
  // Where backends cannot be seen, PostgreSQL's own check is the better one for a dead server.
  if (process.platform !== 'linux' && identityOf(Number(pid)) === undefined) return;
  for (let rounds = 0; backendsOf(cluster).length > 0; rounds++) {
    if (rounds === 20) for (const pid of backendsOf(cluster)) send(pid, 'SIGQUIT');
    if (rounds === 100) throw new Error(`Processes of a dead PostgreSQL still use ${cluster}.`);
    await pause(100);
  }
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

/** Stops a server: clients are disconnected, everything is written, nothing needs recovery. */
export async function stopPostmaster({ pid }: Postmaster, limitMs = 30_000): Promise<void> {
  const identity = identityOf(pid);
  const end = performance.now() + limitMs;
  // SIGINT is PostgreSQL's "fast"; SIGTERM would wait for clients to leave.
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

/** Every process of a server works in its data directory; only Linux shows it. */
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
    // Gone meanwhile, or another user's.
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
