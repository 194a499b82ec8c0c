import { expect } from 'chai';
import { parseRedisUrl } from '../../../src/queue/redis-address.js';

describe('REDIS_URL', () => {
  it('reads a REDIS_URL that names one server', () => {
    for (const url of ['redis://localhost', 'rediss://me:word@[::1]:6380/2']) {
      expect(parseRedisUrl(url)).to.deep.equal({ kind: 'server', url });
    }
  });

  it('reads a REDIS_URL that names sentinels, the master that they watch, and a database', () => {
    expect(parseRedisUrl('redis+sentinel://me:p%40ss@one:26380,[::1]/main/3')).to.deep.equal({
      kind: 'sentinel',
      name: 'main',
      db: 3,
      tls: false,
      username: 'me',
      password: 'p@ss',
      nodes: [
        { host: 'one', port: 26_380 },
        { host: '::1', port: 26_379 },
      ],
    });
  });

  it('reads a REDIS_URL that names nodes of a cluster', () => {
    expect(parseRedisUrl('rediss+cluster://:word@one,two:7000')).to.deep.equal({
      kind: 'cluster',
      tls: true,
      username: undefined,
      password: 'word',
      nodes: [
        { host: 'one', port: 6_379 },
        { host: 'two', port: 7_000 },
      ],
    });
  });

  it('rejects a REDIS_URL that names none of these', () => {
    for (const url of [
      '',
      'localhost',
      'http://localhost',
      'redis+other://one',
      'redis+sentinel://one,two',
      'redis+cluster://one/main',
      'redis+cluster://one,:x',
    ]) {
      expect(parseRedisUrl(url), url).to.equal(undefined);
    }
  });
});
