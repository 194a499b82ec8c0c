import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tools/launcher/ports.js';
import { eventually } from './eventually.js';

/** The Redis server of a test. */
export interface RedisServer {
  readonly url: string;
  readonly pid: number;
  /** Where nodes of its cluster reach it. */
  readonly busPort: string | undefined;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** The reason why tests with Redis are pending; undefined when a server is installed. */
export const redisMissing: string | undefined = findServer()
  ? undefined
  : 'no redis-server or valkey-server found: install one (Debian: redis-server) to run this';

/** The program of the server. @throws Error when there is none */
export function redisCommand(): string {
  const command = findServer();
  if (command === undefined) throw new Error(redisMissing);
  return command;
}

/** The first server in the folder TEST_REDIS_BIN; without it, in PATH. */
function findServer(): string | undefined {
  const folder = process.env['TEST_REDIS_BIN'] ?? '';
  return ['redis-server', 'valkey-server']
    .map((name) => (folder === '' ? name : join(folder, name)))
    .find((command) => spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0);
}

/**
 * Starts a Redis without persistence.
 * @param port the port of an earlier server, to restart it
 * @param settings more settings of the server
 * @param host the address that it listens on
 */
export async function startRedis(
  port?: number,
  settings: Readonly<Record<string, string>> = {},
  host = '127.0.0.1',
): Promise<RedisServer> {
  const command = redisCommand();
  const listening = port ?? (await freePort());
  const folder = mkdtempSync(join(tmpdir(), 'signalpost-redis-'));
  const server = spawn(
    command,
    [
      '--port',
      String(listening),
      '--bind',
      host,
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
      ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    ],
    { stdio: 'ignore' },
  );
  const kill = () => server.kill('SIGKILL');
  process.once('exit', kill);
  await eventually(() => answers(listening, host), 'Redis responds');
  return {
    url: `redis://${host}:${listening}`,
    pid: server.pid ?? -1,
    busPort: settings['cluster-port'],
    async stop(signal = 'SIGTERM') {
      if (server.exitCode === null && server.signalCode === null) {
        const exited = once(server, 'exit');
        server.kill(signal);
        await exited;
      }
      process.off('exit', kill);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => socket.write('PING\r\n'));
    socket.once('error', reject);
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
  });
}
