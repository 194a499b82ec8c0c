import { expect } from 'chai';
import { createWakeupPublisher } from '../../../src/queue/producer.js';
import { connectRateLimitRedis } from '../../../src/http/rate-limits.js';
import { listenForWakeups } from '../../../src/queue/consumer.js';
import { allowedMs, besideProbe, eventually } from '../../support/eventually.js';
import { through } from '../../support/queue-backends.js';
import {
  redisMissing,
  type RedisServer,
  startRedis,
  type RedisGroup,
  startSentinels,
} from '../../support/redis.js';
import { createTcpProxy, type TcpProxy } from '../../support/proxies.js';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { openRedis } from '../../../src/queue/redis.js';

describe('a Redis behind sentinels', () => {
  let server: Server;
  let received: Buffer[];
  const sockets = new Set<Socket>();

  beforeEach(async () => {
    received = [];
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('data', (chunk) => received.push(chunk)).on('error', () => undefined);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });

  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  /** A sentinel that takes connections and never responds. */
  const silent = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;

  it('speaks TLS to the sentinels, too, so that nobody on the network reads the password', async () => {
    const redis = openRedis(`rediss+sentinel://me:secret@${silent()}/main`, {});
    redis.on('error', () => undefined);
    try {
      await eventually(() => expect(received).not.to.have.lengthOf(0), 'it sends something');
      const sent = Buffer.concat(received);
      expect(sent.includes('secret'), 'the password').to.equal(false);
      expect(sent[0], 'the first byte of a TLS handshake').to.equal(22);
    } finally {
      redis.disconnect();
    }
  });

  if (redisMissing !== undefined) {
    it(redisMissing);
    return;
  }

  it('finds the Redis although the first sentinel does not respond', async () => {
    const group: RedisGroup = await startSentinels();
    const url = group.url.replace('redis+sentinel://', `redis+sentinel://${silent()},`);
    const redis = openRedis(url, { connectTimeout: 5_000 });
    redis.on('error', () => undefined);
    try {
      await eventually(() => expect(redis.status).to.equal('ready'), 'it is connected');
      expect(received, 'the silent one was asked').not.to.have.lengthOf(0);
    } finally {
      redis.disconnect();
      await group.stop();
    }
  });
});

/** The time in which another connection is there. TCP alone notices after many minutes. */
const promisedMs = 10_000;

/** The server of the open connections has vanished, and another one has its address. */
describe('a Redis whose open connections no longer respond', () => {
  if (redisMissing !== undefined) {
    it(redisMissing);
    return;
  }

  let redis: RedisServer;
  let proxy: TcpProxy;
  let redisUrl: string;
  let direct: ReturnType<typeof connectRateLimitRedis>;

  beforeEach(async () => {
    redis = await startRedis();
    direct = connectRateLimitRedis(redis.url, () => undefined);
    await eventually(() => direct.ping(), 'it responds');
    proxy = await createTcpProxy(Number(new URL(redis.url).port));
    redisUrl = through(proxy, redis.url);
  });

  afterEach(async () => {
    direct.disconnect();
    await proxy.close();
    await redis.stop();
  });

  /** Expects that `work` takes no longer than promised. */
  const inTime = async (work: () => Promise<unknown>) => {
    const times = await besideProbe(() => direct.ping(), work);
    expect(times.tookMs).to.be.below(allowedMs(promisedMs, times));
  };

  it('delivers wake-ups for later over a new connection within 10 s', async () => {
    const common = { databaseUrl: 'postgres://nobody@127.0.0.1:1/none', onError: () => undefined };
    const signal = () => Promise.resolve();
    let received = 0;
    const onWakeup = () => Promise.resolve((received += 1) > 0);
    const listeners = listenForWakeups({
      ...common,
      redisUrl: redis.url,
      kinds: ['due'],
      onWakeup,
    });
    const wakeupPublisher = createWakeupPublisher({ ...common, redisUrl, signal });
    try {
      const isReceived = async () => {
        const before = received;
        await eventually(() => {
          wakeupPublisher.wake([{ kind: 'due' }]);
          expect(received).to.be.above(before);
        }, 'a wake-up is received');
      };

      await eventually(() => wakeupPublisher.depths(), 'the wake-up publisher is connected');
      await isReceived();
      proxy.silence();

      await inTime(async () => {
        await eventually(() => wakeupPublisher.depths(), 'it is connected again');
        await isReceived();
      });
    } finally {
      await Promise.all([wakeupPublisher.close(), listeners.close()]);
    }
  });

  it('counts rate limits over a new connection within 10 s', async () => {
    const limits = connectRateLimitRedis(redisUrl, () => undefined);
    try {
      await eventually(() => limits.ping(), 'it responds');
      proxy.silence();
      await inTime(() => eventually(() => limits.ping(), 'it responds again'));
    } finally {
      limits.disconnect();
    }
  });
});
