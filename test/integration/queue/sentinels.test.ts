import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { openRedis } from '../../../src/queue/redis.js';
import { eventually } from '../../support/eventually.js';
import { redisMissing, type RedisGroup, startSentinels } from '../../support/redis.js';

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

  it('speaks TLS to the sentinels, too, so that none reads the password on the way', async () => {
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

  it('is found although the first sentinel does not respond', async () => {
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
