import type { Redis, RedisOptions } from 'ioredis';
import ioredis = require('ioredis');

/**
 * A client for workers that can be closed permanently while Redis is down. If ioredis is closed
 * between two attempts to reconnect, it emits no event. BullMQ, which duplicates clients for
 * blocking commands, waits for that event and then reconnects.
 */
export class Consumer extends ioredis.Redis {
  readonly #duplicates: Consumer[] = [];

  override duplicate(override?: Partial<RedisOptions>): Redis {
    const duplicate = new Consumer({ ...this.options, ...override });
    this.#duplicates.push(duplicate);
    return duplicate;
  }

  override disconnect(reconnect = false): void {
    const waits = this.status === 'reconnecting';
    super.disconnect(reconnect);
    if (!waits || reconnect) return;
    this.status = 'end';
    this.emit('end');
    // Otherwise queued commands would wait forever for the next connection, and so would their
    // callers.
    const client = this as unknown as { flushQueue(error: Error): void };
    client.flushQueue(new Error('Connection is closed.'));
  }

  /** Closes this client and its duplicates. */
  disconnectAll(): void {
    for (const client of [this, ...this.#duplicates]) client.disconnect();
  }
}
