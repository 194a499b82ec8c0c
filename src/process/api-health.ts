import type { Database } from '../database/database.js';
import { type Health, checkPartitions } from './health.js';
import type { Lifecycle } from './lifecycle.js';

interface Options {
  readonly lifecycle: Pick<Lifecycle, 'stopping'>;
  readonly database: Pick<Database, 'ping' | 'read' | 'checkWrites'>;
  readonly waker: { depths(): Promise<unknown> };
  /** Undefined where rate limits are counted in the process. */
  readonly redis: { ping(): Promise<unknown> } | undefined;
}

/** What an API process needs, and what it can do without. */
export function apiHealth({ lifecycle, database, waker, redis }: Options): Health {
  return {
    stopping: () => lifecycle.stopping,
    required: { postgresql: () => database.ping() },
    optional: {
      queue: () => waker.depths(),
      partitions: () => checkPartitions(database.read),
      writes: () => database.checkWrites(),
      ...(redis && { redis: () => redis.ping() }),
    },
  };
}
