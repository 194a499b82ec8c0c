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
import { afterAllTests } from './teardown.js';

/** A PostgreSQL server of this test run, in a temporary folder. */
export interface Cluster {
  /** The pid of the postmaster. */
  readonly pid: number;
  /** Crashes and restarts it, as `pg_ctl restart -m immediate` does; resolves after recovery. */
  restart(): Promise<void>;
  /** The URL of `database` for the superuser. */
  url(database: string): string;
  stop(): Promise<void>;
}

/** Settings of a cluster without durability. */
const nondurable = {
  fsync: 'off',
  full_page_writes: 'off',
  // The WAL may be in memory.
  max_wal_size: '128MB',
};

let running: Promise<Cluster> | undefined;

/** The shared cluster of this test run, started on first use. */
export function cluster(): Promise<Cluster> {
  running ??= startCluster();
  return running;
}

/** The programs in `bin`, which defaults to TEST_POSTGRES_BIN; undefined when neither is set. */
function chosenBinaries(bin = process.env['TEST_POSTGRES_BIN']): Binaries[] | undefined {
  return bin ? [{ bin, whole: undefined }] : undefined;
}

/** Stops the shared cluster if it was started. */
export async function stopCluster(): Promise<void> {
  if (running) await (await running).stop();
  running = undefined;
}
afterAllTests(stopCluster);

/**
 * Starts a cluster in a temporary folder.
 * @param durable whether it forces writes to disk, as in production; tests are faster without
 * @param settings more server settings
 * @param bin the folder of its programs; defaults to those of all tests
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
  // The user of PostgreSQL may be unable to enter a folder of root.
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
    ...(!durable && nondurable),
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
        // The server is still stopping. A later run removes the folder; this run keeps its exit code.
      }
    };
    const terminate = () => {
      process.off('exit', kill);
      kill();
      // Another listener decides how the process ends. Without one, the signal must end it.
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
  }, 'PostgreSQL responds');
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
