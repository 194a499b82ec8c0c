import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../tools/launcher/ports.js';
import { eventually } from './eventually.js';
import { redisCommand, type RedisServer, startRedis } from './redis.js';

/** Several Redis servers of which another takes over when one dies. */
export interface RedisGroup {
  /** The value of REDIS_URL. */
  readonly url: string;
  /** Kills the server that has `key`; resolves when another one has it. */
  failOver(key: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a cluster of three masters with a replica each. */
export async function startRedisCluster(): Promise<RedisGroup> {
  // Each ends with this process.
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
  /** The port of the master that has `key`, as a live server knows it. */
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
    const found = await call(sentinel, 'SENTINEL', 'get-master-addr-by-name', 'main');
    return (found as string[])[1];
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
