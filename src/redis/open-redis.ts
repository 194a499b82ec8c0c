import type { Cluster, ClusterOptions, Redis, RedisOptions } from 'ioredis';
import { parseRedisUrl, type RedisAddress } from './redis-address.js';
import ioredis = require('ioredis');

/** A connection to Redis, or connections to the nodes of a cluster. */
export type RedisClient = Redis | Cluster;

/** The classes to open; those that workers use can be closed while Redis is away. */
export type RedisClasses = Pick<typeof ioredis, 'Redis' | 'Cluster'>;

/**
 * A connection on which a command gets no response for so long is replaced, in milliseconds. Without
 * this, a host that vanished would be noticed when TCP gives up, after a quarter of an hour.
 */
export const silentTimeoutMs = 5_000;

/**
 * Opens a connection to what REDIS_URL names.
 * @throws TypeError when the URL is not one of Redis
 */
export function openRedis(
  url: string,
  options: RedisOptions,
  classes: RedisClasses = ioredis,
): RedisClient {
  const address = parseRedisUrl(url);
  if (!address) throw new TypeError('REDIS_URL is not a URL of Redis.');

  if (address.kind === 'cluster') {
    const cluster = new classes.Cluster([...address.nodes], clusterOptions(address, options));
    cluster.on('+node', endSilenceOnClose);
    return cluster;
  }

  const redis =
    address.kind === 'server'
      ? new classes.Redis(address.url, options)
      : new classes.Redis(sentinelOptions(address, options));

  endSilenceOnClose(redis);

  return redis;
}

/** ioredis keeps the timer of a connection that closed; it would end the next connection. */
function endSilenceOnClose(redis: Redis): void {
  const timed = redis as unknown as { socketTimeoutTimer?: NodeJS.Timeout | undefined };
  redis.on('close', () => {
    clearTimeout(timed.socketTimeoutTimer);
    timed.socketTimeoutTimer = undefined;
  });
}

/** Whether the client speaks to a cluster, whose keys of one command must be on one node. */
export function isCluster(client: RedisClient): client is Cluster {
  return client instanceof ioredis.Cluster;
}

function sentinelOptions(
  { nodes, name, db, username, password, tls }: Extract<RedisAddress, { kind: 'sentinel' }>,
  options: RedisOptions,
): RedisOptions {
  return {
    sentinels: [...nodes],
    name,
    db,
    ...options,
    // Without it, a sentinel that does not respond would keep the others from being asked.
    sentinelCommandTimeout: 2_000,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password, sentinelPassword: password }),
    ...(tls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  };
}

function clusterOptions(
  { username, password, tls }: Extract<RedisAddress, { kind: 'cluster' }>,
  { retryStrategy, enableOfflineQueue, lazyConnect, ...options }: RedisOptions,
): ClusterOptions {
  return {
    redisOptions: {
      ...options,
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(tls && { tls: {} }),
    },
    ...(retryStrategy && { clusterRetryStrategy: (times) => retryStrategy(times) ?? null }),
    ...(enableOfflineQueue !== undefined && { enableOfflineQueue }),
    ...(lazyConnect !== undefined && { lazyConnect }),
    // The certificate of a node names its host.
    ...(tls && { dnsLookup: (host, callback) => callback(null, host) }),
  };
}
