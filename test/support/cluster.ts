import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { canRun, copyBinaries, findBinaries } from '../../src/launcher/binaries.js';
import { freePort } from '../../src/launcher/ports.js';
import { eventually } from './eventually.js';

/** A PostgreSQL server of the test run's own, in a temporary folder, made on first use. */
export interface Cluster {
  /** The postmaster's. */
  readonly pid: number;
  /** Superuser address of `database`. */
  url(database: string): string;
  stop(): Promise<void>;
}

let running: Promise<Cluster> | undefined;

/** The cluster of this test run; every caller gets the same one. */
export function cluster(): Promise<Cluster> {
  running ??= startCluster();
  return running;
}

/** Stops the cluster if one was started. */
export async function stopCluster(): Promise<void> {
  if (running) await (await running).stop();
  running = undefined;
}

/**
 * Starts a cluster in a temporary folder.
 * @param durable whether it forces writes to disk, as a real one does; tests go faster without
 * @param settings further server settings
 */
export async function startCluster({
  durable = false,
  settings = {},
}: { durable?: boolean; settings?: Readonly<Record<string, string>> } = {}): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'signalpost-test-'));
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, 'test', { mode: 0o600 });
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  if (user) {
    chownSync(folder, user.uid, user.gid);
    chownSync(passwordFile, user.uid, user.gid);
    chmodSync(folder, 0o755);
  }
  const found = await findBinaries();
  // Root's own folder may be closed to the user that PostgreSQL runs as.
  const { bin } = (await canRun(found, user)) ? found : copyBinaries(found, folder);
  const made = spawnSync(
    join(bin, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ],
    { ...user, encoding: 'utf8', cwd: folder },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const server = spawn(
    join(bin, 'postgres'),
    [
      '-D',
      data,
      '-p',
      String(port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      '-c',
      'max_connections=200',
      '-c',
      `fsync=${durable ? 'on' : 'off'}`,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  server.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000)));
  process.once('exit', () => server.kill('SIGQUIT'));
  const url = (database: string) => `postgres://postgres:test@127.0.0.1:${port}/${database}`;
  await eventually(async () => {
    if (server.exitCode !== null) throw new Error(`postgres ended: ${output}`);
    const client = new pg.Client({ connectionString: url('postgres') });
    try {
      await client.connect();
      await client.query('select 1');
    } finally {
      await client.end();
    }
  }, 'PostgreSQL answers');
  return { pid: server.pid ?? -1, url, stop: () => stop(server, folder) };
}

async function stop(server: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  if (server.exitCode === null) {
    server.kill('SIGINT');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
}

function unprivilegedUser(): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:') || entry.startsWith('nobody:'));
  const [, , uid, gid] = (line ?? '').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
