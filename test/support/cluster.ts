import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import {
  type Binaries,
  canRun,
  copyBinaries,
  findBinaries,
} from '../../tools/launcher/binaries.js';
import { freePort } from '../../tools/launcher/ports.js';
import { makeFolder, removeStaleFolders } from './cluster-folder.js';
import { eventually } from './eventually.js';

/** A PostgreSQL server of the test run's own, in a temporary folder, made on first use. */
export interface Cluster {
  /** The postmaster's. */
  readonly pid: number;
  /** Breaks it off as `pg_ctl restart -m immediate` does; resolves when it has recovered. */
  restart(): Promise<void>;
  /** Superuser address of `database`. */
  url(database: string): string;
  stop(): Promise<void>;
}

/** Of a cluster that need not last. */
const hasty = {
  fsync: 'off',
  full_page_writes: 'off',
  // It counts against the memory that the cluster may be in.
  max_wal_size: '128MB',
};

let running: Promise<Cluster> | undefined;

/** The cluster of this test run; every caller gets the same one. */
export function cluster(): Promise<Cluster> {
  running ??= startCluster();
  return running;
}

/** Those of the folder `bin`, or the one that TEST_POSTGRES_BIN names; undefined when it names none. */
function chosenBinaries(bin = process.env['TEST_POSTGRES_BIN']): Binaries[] | undefined {
  return bin ? [{ bin, whole: undefined }] : undefined;
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
 * @param bin the folder of its programs; as for all tests unless it is given
 */
export async function startCluster({
  durable = false,
  settings = {},
  bin: wanted,
}: {
  durable?: boolean;
  settings?: Readonly<Record<string, string>>;
  bin?: string | undefined;
} = {}): Promise<Cluster> {
  removeStaleFolders();
  const folder = makeFolder();
  const place = durable ? folder : makeFolder('fast');
  const data = join(place, 'data');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, 'test', { mode: 0o600 });
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  if (user) {
    for (const path of [folder, place, passwordFile]) chownSync(path, user.uid, user.gid);
    chmodSync(folder, 0o755);
  }
  const found = await findBinaries(chosenBinaries(wanted));
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
  const arguments_ = ['-D', data, '-p', String(port)];
  for (const [name, value] of Object.entries({
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    ...(!durable && hasty),
    ...settings,
  })) {
    arguments_.push('-c', `${name}=${value}`);
  }
  const url = (database: string) => `postgres://postgres:test@127.0.0.1:${port}/${database}`;
  const remove = () => {
    for (const path of [place, folder]) {
      rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  const start = async () => {
    const server = spawn(join(bin, 'postgres'), arguments_, {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const kill = () => {
      server.kill('SIGQUIT');
      try {
        remove();
      } catch {
        // It is still dying; a later run removes what it leaves, and this one keeps its exit code.
      }
    };
    const terminate = () => {
      process.off('exit', kill);
      kill();
      // Whoever else listens decides how the process ends; else it ends as if nobody had listened.
      if (process.listenerCount('SIGTERM') === 0) process.kill(process.pid, 'SIGTERM');
    };
    process.once('exit', kill);
    process.once('SIGTERM', terminate);
    server.once('exit', () => {
      process.off('exit', kill);
      process.off('SIGTERM', terminate);
    });
    await answers(server, url('postgres'));
    return server;
  };
  let server = await start();
  return {
    get pid() {
      return server.pid ?? -1;
    },
    url,
    async restart() {
      await end(server, 'SIGQUIT');
      server = await start();
    },
    async stop() {
      await end(server, 'SIGINT');
      remove();
    },
  };
}

function answers(server: ChildProcess, url: string): Promise<void> {
  let output = '';
  server.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4_000);
  });
  return eventually(async () => {
    if (server.exitCode !== null) throw new Error(`postgres ended: ${output}`);
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.query('select 1');
    } finally {
      await client.end();
    }
  }, 'PostgreSQL answers');
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill(signal);
  await ended;
}

function unprivilegedUser(): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:') || entry.startsWith('nobody:'));
  const [, , uid, gid] = (line ?? '').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
