// The connections to Redis: one server, sentinels or a cluster. The rate limits use them, too.
import type { Cluster, ClusterOptions, Redis, RedisOptions, ClusterNode } from 'ioredis';
import { parseRedisUrl, type RedisAddress } from './redis-address.js';
import ioredis = require('ioredis');

/** A connection to Redis, or connections to the nodes of a cluster. */
export type RedisClient = Redis | Cluster;

/** The classes to open; those that workers use can be closed while Redis is away. */
type RedisClasses = Pick<typeof ioredis, 'Redis' | 'Cluster'>;

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
    // Without a timeout, a sentinel that does not respond would keep us from asking the others.
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

/**
 * Returns the policy by which this Redis evicts keys when its memory is full. Scheduled wake-ups
 * then vanish without an error. Undefined if it evicts none or does not allow CONFIG, as with some managed
 * services.
 */
export async function evictionPolicy(redis: RedisClient): Promise<string | undefined> {
  try {
    const [, policy] = (await redis.config('GET', 'maxmemory-policy')) as (string | undefined)[];
    return policy === 'noeviction' ? undefined : policy;
  } catch (error) {
    if (error instanceof ioredis.ReplyError) return undefined;
    throw error;
  }
}

/** The warning to operators about an eviction policy that can remove wake-ups. */
export const evictionWarning =
  'Redis evicts wake-ups when its memory is full. Set maxmemory-policy to noeviction.';

/** A client of workers that closes with its duplicates. */
export type Consumer = RedisClient & {
  /** Closes this client and its duplicates. */
  disconnectAll(): void;
};

/*
 * Clients for workers that can be closed permanently while Redis is down. If ioredis is closed between
 * two attempts to reconnect, it emits no event. BullMQ, which duplicates clients for blocking commands,
 * waits for that event and then reconnects.
 */

/** The consumer of one server. */
class ServerConsumer extends ioredis.Redis {
  readonly #duplicates: ServerConsumer[] = [];

  override duplicate(override?: Partial<RedisOptions>): ServerConsumer {
    const duplicate = new ServerConsumer({ ...this.options, ...override });
    this.#duplicates.push(duplicate);
    return duplicate;
  }

  override disconnect(reconnect = false): void {
    const waits = this.status === 'reconnecting';
    super.disconnect(reconnect);
    if (waits && !reconnect) endNow(this);
  }

  disconnectAll(): void {
    for (const client of [this, ...this.#duplicates]) client.disconnect();
  }
}

/** The consumer of a cluster. */
class ClusterConsumer extends ioredis.Cluster {
  readonly #nodes: readonly ClusterNode[];
  readonly #duplicates: ClusterConsumer[] = [];

  constructor(nodes: ClusterNode[], options: ClusterOptions = {}) {
    super(nodes, options);
    this.#nodes = nodes;
  }

  override duplicate(
    nodes: ClusterNode[] = [],
    override: Partial<ClusterOptions> = {},
  ): ClusterConsumer {
    const duplicate = new ClusterConsumer(nodes.length > 0 ? nodes : [...this.#nodes], {
      ...this.options,
      ...override,
    });
    this.#duplicates.push(duplicate);
    return duplicate;
  }

  override disconnect(reconnect = false): void {
    const waits = this.status === 'reconnecting';
    super.disconnect(reconnect);
    if (waits && !reconnect) endNow(this);
  }

  disconnectAll(): void {
    for (const client of [this, ...this.#duplicates]) client.disconnect();
  }
}

/** The classes of consumers, as they are opened. */
export const consumers = { Redis: ServerConsumer, Cluster: ClusterConsumer };

function endNow(client: RedisClient): void {
  client.status = 'end';
  client.emit('end');
  // Otherwise queued commands would wait forever for the next connection, and so would their
  // callers.
  const queue = client as unknown as { flushQueue(error: Error): void };
  queue.flushQueue(new Error('Connection is closed.'));
}
