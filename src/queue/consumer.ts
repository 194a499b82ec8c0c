import type { ClusterNode, ClusterOptions, RedisOptions } from 'ioredis';
import type { RedisClient } from '../redis/open-redis.js';
import ioredis = require('ioredis');

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
