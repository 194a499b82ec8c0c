import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { eventually } from './eventually.js';

/** A running PostgreSQL. */
export interface PostgresServer {
  /** The pid of the postmaster. */
  readonly pid: number;
  /** The URL of `database` for the superuser. */
  url(database: string): string;
  /** Ends it by a signal; `start` starts it again. */
  end(signal: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  /** Crashes and restarts it, as `pg_ctl restart -m immediate` does; resolves after recovery. */
  restart(): Promise<void>;
  /** Stops all of its processes where they are. @returns lets them continue */
  pause(): Promise<() => Promise<void>>;
  /** Makes a standby a primary, as `pg_ctl promote` does; resolves when it takes writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

interface PostgresServerOptions {
  /** The folder of its programs. */
  readonly bin: string;
  /** Undefined for the user of this process. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  readonly folder: string;
  readonly data: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly url: (database: string) => string;
  /** Removes its files, after it has stopped. */
  readonly remove: () => void;
}

/** Starts PostgreSQL on a folder of data; resolves when it responds. */
export async function startServer(options: PostgresServerOptions): Promise<PostgresServer> {
  const { bin, user, folder, data, port, settings, url, remove } = options;
  const arguments_ = ['-D', data, '-p', String(port)];

  for (const [name, value] of Object.entries({
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    ...settings,
  })) {
    arguments_.push('-c', `${name}=${value}`);
  }

  const spawnServer = async () => {
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

  let server = await spawnServer();
  return {
    get pid() {
      return server.pid ?? -1;
    },
    url,
    end: (signal) => end(server, signal),
    async start() {
      server = await spawnServer();
    },
    async restart() {
      await end(server, 'SIGQUIT');
      server = await spawnServer();
    },
    async pause() {
      const client = new pg.Client({ connectionString: url('postgres') });
      await client.connect();

      // First, so that it starts no further processes.
      server.kill('SIGSTOP');

      const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity');
      const signalAll = (signal: NodeJS.Signals) => {
        for (const { pid } of rows) sendSignal(pid, signal);
        server.kill(signal);
      };

      signalAll('SIGSTOP');

      return () => {
        signalAll('SIGCONT');
        return client.end();
      };
    },
    async promote() {
      const words = ['promote', '-w', '-D', data];
      await promisify(execFile)(join(bin, 'pg_ctl'), words, { ...user, cwd: folder });
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
    await answersAt(url);
  }, 'PostgreSQL responds');
}

/** Resolves when PostgreSQL, or a pooler before it, executes a statement. */
export async function answersAt(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.query('select 1');
  } finally {
    await client.end();
  }
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill(signal);
  await ended;
}

/** Does nothing if the process has ended, as an autovacuum worker may have. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
