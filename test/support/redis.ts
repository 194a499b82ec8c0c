import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tools/launcher/ports.js';
import { eventually } from './eventually.js';
import { Redis } from 'ioredis';

/** The Redis server of a test. */
export interface RedisServer {
  readonly url: string;
  readonly pid: number;
  /** The port at which the nodes of its cluster reach it. */
  readonly busPort: string | undefined;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** The reason why tests with Redis are pending; undefined when a server is installed. */
export const redisMissing: string | undefined = findServer()
  ? undefined
  : 'no redis-server or valkey-server found: install one (Debian: redis-server) to run this';

/** Returns the program of the server. @throws Error when there is none */
function redisCommand(): string {
  const command = findServer();
  if (command === undefined) throw new Error(redisMissing);
  return command;
}

/** Returns the first server in the folder TEST_REDIS_BIN; without that variable, in PATH. */
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

/** Several Redis servers; when one dies, another takes over. */
export interface RedisGroup {
  /** The value of REDIS_URL. */
  readonly url: string;
  /** Kills the server that has `key`; resolves when another one has it. */
  failOver(key: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a cluster of three masters with a replica each. */
export async function startRedisCluster(): Promise<RedisGroup> {
  // Each server ends with this process.
  process.setMaxListeners(process.getMaxListeners() + 6);

  const servers: RedisServer[] = [];
  for (let index = 0; index < 6; index += 1) {
    const settings = {
      'cluster-enabled': 'yes',
      'cluster-node-timeout': '5000',
      'cluster-port': String(await freePort()),
    };
    servers.push(await startRedis(undefined, settings));
  }

  const [first, ...others] = servers;
  if (!first) throw new Error('no server');

  await Promise.all(
    servers.slice(0, 3).map((server, index) => {
      const bounds = [0, 5_461, 10_923, 16_384];
      const [from = 0, to = 0] = bounds.slice(index, index + 2);
      return ask(server, 'CLUSTER', 'ADDSLOTSRANGE', from, to - 1);
    }),
  );

  for (const { url, busPort } of others) {
    await ask(first, 'CLUSTER', 'MEET', '127.0.0.1', new URL(url).port, busPort ?? '');
  }

  await everywhere(servers, /cluster_known_nodes:6/);

  for (const [index, replica] of servers.slice(3).entries()) {
    const master = servers[index];
    if (master) await ask(replica, 'CLUSTER', 'REPLICATE', await ask(master, 'CLUSTER', 'MYID'));
  }

  await everywhere(servers, /cluster_state:ok/);

  await eventually(async () => {
    for (const replica of servers.slice(3)) {
      const info = await ask(replica, 'INFO', 'replication');
      if (!info.includes('master_link_status:up')) throw new Error(info);
    }
  }, 'all replicas follow');

  const alive = new Set(servers);

  /** Returns the port of the master that has `key`, as a live server knows it. */
  const ownerOf = async (key: string): Promise<string> => {
    const [one] = alive;
    if (!one) throw new Error('all servers ended');
    const slot = Number(await ask(one, 'CLUSTER', 'KEYSLOT', key));
    const shards = (await call(one, 'CLUSTER', 'SLOTS')) as [number, number, [string, number]][];
    const owner = shards.find(([from, to]) => from <= slot && slot <= to);
    return String(owner?.[2][1]);
  };

  return {
    url: `redis+cluster://${servers.map(({ url }) => new URL(url).host).join()}`,
    async failOver(key) {
      const port = await ownerOf(key);
      const owner = servers.find(({ url }) => new URL(url).port === port);
      if (!owner) throw new Error(`no server has ${key}`);
      alive.delete(owner);
      await owner.stop('SIGKILL');
      await eventually(async () => {
        if ((await ownerOf(key)) === port) throw new Error('the killed server has it');
        await everywhere([...alive], /cluster_state:ok/);
      }, 'a replica takes over');
    },
    async stop() {
      await Promise.all([...alive].map((server) => server.stop('SIGKILL')));
    },
  };
}

/** Starts a master, a replica, and three sentinels that watch them. */
export async function startSentinels(): Promise<RedisGroup> {
  const master = await startRedis();
  const port = new URL(master.url).port;
  const replica = await startRedis(undefined, { replicaof: `127.0.0.1 ${port}` });
  const sentinels = await Promise.all(Array.from({ length: 3 }, () => startSentinel(port)));
  const masterPort = async () => {
    const [sentinel] = sentinels;
    if (!sentinel) throw new Error('no sentinel');
    const reply = await call(sentinel, 'SENTINEL', 'get-master-addr-by-name', 'main');
    return (reply as string[])[1];
  };

  await eventually(async () => {
    for (const sentinel of sentinels) {
      const info = await ask(sentinel, 'INFO', 'sentinel');
      if (!/slaves=1,sentinels=3/.test(info)) throw new Error(info);
    }
  }, 'the sentinels know each other');

  return {
    url: `redis+sentinel://${sentinels.map(({ url }) => new URL(url).host).join()}/main`,
    async failOver() {
      await master.stop('SIGKILL');
      await eventually(async () => {
        if ((await masterPort()) === port) throw new Error('the killed server is the master');
        const info = await ask(replica, 'INFO', 'replication');
        if (!info.includes('role:master')) throw new Error(info);
      }, 'the replica takes over');
    },
    async stop() {
      for (const sentinel of sentinels) await sentinel.stop();
      await replica.stop('SIGKILL');
      await master.stop('SIGKILL');
    },
  };
}

async function startSentinel(masterPort: string): Promise<Pick<RedisServer, 'url' | 'stop'>> {
  const folder = mkdtempSync(join(tmpdir(), 'signalpost-sentinel-'));
  const port = await freePort();
  const file = join(folder, 'sentinel.conf');

  // Sentinels keep what they know in this file.
  writeFileSync(
    file,
    `port ${port}
bind 127.0.0.1
dir ${folder}
sentinel monitor main 127.0.0.1 ${masterPort} 2
sentinel down-after-milliseconds main 1000
sentinel failover-timeout main 5000
`,
  );

  const server = spawn(redisCommand(), [file, '--sentinel'], { stdio: 'ignore' });
  const kill = () => server.kill('SIGKILL');
  process.once('exit', kill);

  const sentinel = { url: `redis://127.0.0.1:${port}` };
  await eventually(() => ask(sentinel, 'PING'), 'the sentinel responds');

  return {
    ...sentinel,
    async stop() {
      const exited = once(server, 'exit');
      kill();
      await exited;
      process.off('exit', kill);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function everywhere(servers: readonly RedisServer[], expected: RegExp): Promise<void> {
  await eventually(async () => {
    for (const server of servers) {
      const info = await ask(server, 'CLUSTER', 'INFO');
      if (!expected.test(info)) throw new Error(info);
    }
  }, `each node says ${expected}`);
}

async function ask(
  server: Pick<RedisServer, 'url'>,
  command: string,
  ...values: (string | number)[]
): Promise<string> {
  return String(await call(server, command, ...values));
}

async function call(
  { url }: Pick<RedisServer, 'url'>,
  command: string,
  ...values: (string | number)[]
): Promise<unknown> {
  const client = new Redis(url, { retryStrategy: () => null, maxRetriesPerRequest: 0 });
  client.on('error', () => undefined);
  try {
    return await client.call(command, ...values);
  } finally {
    client.disconnect();
  }
}
