import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tools/launcher/ports.js';
import { eventually } from './eventually.js';
import { answersAt } from './postgres-server.js';

/** A PgBouncer in transaction mode. */
export interface PgBouncer {
  /** The URL of the database through it. */
  readonly url: string;
  /** Ends it; `start` starts it again. */
  end(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const program = process.env['PGBOUNCER'] ?? 'pgbouncer';

/** The reason why tests with PgBouncer are pending; undefined when one is installed. */
export const pgBouncerMissing: string | undefined = reasonOfAbsence();

function reasonOfAbsence(): string | undefined {
  const { error, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const [, major, minor] = (!error && /PgBouncer (\d+)\.(\d+)/.exec(stdout)) || [];
  if (major === undefined) return 'no pgbouncer found: install PgBouncer 1.21 or newer to run this';
  // Older ones do not know prepared statements in transaction mode.
  if (Number(major) > 1 || Number(minor) >= 21) return undefined;
  return `PgBouncer ${major}.${minor} is too old: install 1.21 or newer to run this`;
}

/**
 * Starts a PgBouncer before a database.
 * @param address the URL of the database, with the user and password of its connections
 * @param connections at most this many connections to PostgreSQL
 */
export async function startPgBouncer(address: string, connections: number): Promise<PgBouncer> {
  const { hostname, port, username, password, pathname } = new URL(address);
  const folder = mkdtempSync(join(tmpdir(), 'signalpost-pgbouncer-'));
  const listening = await freePort();
  writeFileSync(join(folder, 'users'), `"${username}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(
    join(folder, 'ini'),
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listening}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users')}
pool_mode = transaction
default_pool_size = ${connections}
max_prepared_statements = 200
`,
  );
  chmodSync(folder, 0o755);
  const url = new URL(address);
  url.port = String(listening);
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const spawnIt = async () => {
    const server = spawn(program, ['-q', ...user, join(folder, 'ini')], { stdio: 'ignore' });
    process.once('exit', () => server.kill('SIGKILL'));
    await eventually(() => answersAt(url.href), 'PgBouncer responds');
    return server;
  };
  let server = await spawnIt();
  const end = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  };
  return {
    url: url.href,
    end,
    async start() {
      server = await spawnIt();
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
