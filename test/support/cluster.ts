import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  statfsSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Binaries, canRun, copyBinaries, findBinaries } from '../../tools/launcher/cluster.js';
import { freePort } from '../../tools/launcher/ports.js';
import { type PostgresServer, startServer } from './postgres.js';
import { afterAllTests } from './teardown.js';
import { tmpdir } from 'node:os';

/** A server that others can follow. */
export interface FollowedServer extends PostgresServer {
  /** Starts a copy that follows this server as its standby. Restarts this server for it. */
  startStandby(port?: number): Promise<FollowedServer>;
}

/** A PostgreSQL server of this test run, in a temporary folder. */
export interface Cluster extends FollowedServer {
  /** Takes a backup of this server, and archives what is written after it. Restarts this server for it. */
  backUp(): Promise<Backup>;
}

/** A backup with the log of all later changes. */
export interface Backup {
  /** Ends the server and starts the backup in its place, as the database was at `time`, as PostgreSQL writes it. */
  restoreTo(time: string): Promise<PostgresServer>;
}

/** Settings of a cluster without durability. */
const nondurable = {
  fsync: 'off',
  full_page_writes: 'off',
  // The WAL may be in memory.
  max_wal_size: '128MB',
};

let running: Promise<Cluster> | undefined;

/** Returns the shared cluster of this test run, and starts it on first use. */
export function cluster(): Promise<Cluster> {
  running ??= startCluster();
  return running;
}

/** Returns the programs in `bin`, which defaults to TEST_POSTGRES_BIN; undefined when neither is set. */
function chosenBinaries(bin = process.env['TEST_POSTGRES_BIN']): Binaries[] | undefined {
  return bin ? [{ bin, packageFolder: undefined }] : undefined;
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

  const binaries = await findBinaries(chosenBinaries(wanted));

  // The user of PostgreSQL may be unable to enter a folder of root.
  const { bin } = (await canRun(binaries, user)) ? binaries : copyBinaries(binaries, folder);
  const initialised = spawnSync(
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
  if (initialised.status !== 0) throw new Error(`initdb failed: ${initialised.stderr}`);

  const url = (port: number) => (database: string) =>
    `postgres://postgres:test@127.0.0.1:${port}/${database}`;
  const remove = () => {
    for (const path of [place, folder]) {
      rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    }
  };

  const options = { bin, user, folder, remove };
  const archive = join(place, 'archive');
  const common = {
    ...(!durable && nondurable),
    ...(durable && {
      archive_mode: 'on',
      archive_command: `test ! -d ${archive} || cp %p ${archive}/%f`,
    }),
    ...settings,
  };

  const port = await freePort();
  const server = await startServer({ ...options, data, port, url: url(port), settings: common });
  const followed = (source: PostgresServer, files: string): FollowedServer => ({
    ...source,
    get pid() {
      return source.pid;
    },
    async startStandby(ownPort) {
      const own = ownPort ?? (await freePort());
      await source.end('SIGINT');

      const copy = join(place, `standby-${own}`);
      const copied = spawnSync('cp', ['-a', files, copy]);
      if (copied.status !== 0) throw new Error(`cp failed: ${copied.stderr.toString()}`);

      writeFileSync(join(copy, 'standby.signal'), '');
      await source.start();

      const primary = `host=127.0.0.1 port=${new URL(source.url('postgres')).port} user=postgres password=test`;
      const standby = await startServer({
        ...options,
        data: copy,
        port: own,
        url: url(own),
        settings: { ...common, primary_conninfo: primary },
        // The cluster removes the folder of all its servers.
        remove: () => undefined,
      });
      return followed(standby, copy);
    },
  });

  return {
    ...followed(server, data),
    get pid() {
      return server.pid;
    },
    async backUp() {
      mkdirSync(archive);
      if (user) chownSync(archive, user.uid, user.gid);
      await server.end('SIGINT');

      const copy = join(place, 'backup');
      const copied = spawnSync('cp', ['-a', data, copy]);
      if (copied.status !== 0) throw new Error(`cp failed: ${copied.stderr.toString()}`);

      await server.start();

      return {
        restoreTo: async (time) => {
          await server.end('SIGINT');
          writeFileSync(join(copy, 'recovery.signal'), '');

          return startServer({
            ...options,
            data: copy,
            port,
            url: url(port),
            remove: () => undefined,
            settings: {
              ...common,
              restore_command: `cp ${archive}/%f %p`,
              recovery_target_time: time,
              recovery_target_action: 'promote',
            },
          });
        },
      };
    },
  };
}

function unprivilegedUser(): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:') || entry.startsWith('nobody:'));
  const [, , uid, gid] = (line ?? '').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

const prefix = 'signalpost-test-';
const folderPattern = new RegExp(`^${prefix}([0-9]+)-`);
/** A folder in memory, which many systems have. */
const sharedMemory = '/dev/shm';
/** The free memory that parallel test runs need to keep their clusters there. */
const minFreeBytes = 6 * 2 ** 30;

/**
 * Creates a folder for a cluster. Its name has the pid of this process for {@link removeStaleFolders}.
 * @param where `fast` chooses memory if there is enough: each database has hundreds of files
 */
function makeFolder(where: 'fast' | 'temporary' = 'temporary'): string {
  return mkdtempSync(
    join(where === 'fast' ? fastestFolder() : tmpdir(), `${prefix}${process.pid}-`),
  );
}

/** Removes folders of killed test runs, unless their server still runs. */
function removeStaleFolders(): void {
  for (const parent of [tmpdir(), sharedMemory].filter((folder) => existsSync(folder))) {
    for (const name of readdirSync(parent)) {
      const [, owner] = folderPattern.exec(name) ?? [];
      if (owner === undefined || isProcessAlive(Number(owner))) continue;
      const folder = join(parent, name);
      if (!isProcessAlive(serverIn(folder))) remove(folder);
    }
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another test run may be removing it at this moment.
  }
}

function fastestFolder(): string {
  if (!existsSync(sharedMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(sharedMemory);
  return Math.min(bavail * bsize, process.availableMemory()) < minFreeBytes
    ? tmpdir()
    : sharedMemory;
}

/** Returns the pid of the PostgreSQL server of a folder; 0 when there is none. */
function serverIn(folder: string): number {
  try {
    return Number.parseInt(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10) || 0;
  } catch {
    return 0;
  }
}

function isProcessAlive(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code !== 'ESRCH';
  }
}
