// The connections of a queue that lives in PostgreSQL: a small pool, and one shared LISTEN for all BullMQ workers.
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseClient } from '../database/connection.js';
import { type ServerSettings, withServerSettings } from '../database/address.js';
import pg = require('pg');
import { EventEmitter } from 'node:events';

/** Connections to the queue in PostgreSQL. */
interface QueuePool {
  readonly pool: pg.Pool;
  /**
   * Closes every connection within 1,000 ms, even those in use. If BullMQ is closed before it is
   * ready, it takes a connection for LISTEN and never releases it, so waiting for it would never
   * end.
   */
  close(): Promise<void>;
}

/** Settings of the queue's connections, in addition to the common ones. */
export const queueServerSettings: ServerSettings = {
  // BullMQ names its tables without a schema.
  search_path: 'bullmq',
  // With sorts, a claim in a queue without statistics would sort all of it.
  enable_sort: 'off',
  // A crash may lose wake-ups. No other statement, and no wake-up, waits for the disk.
  synchronous_commit: 'off',
};

const closeLimitMs = 1_000;

/** @param onError called when an idle connection breaks */
export function openQueuePool(
  databaseUrl: string,
  max: number,
  onError: (error: Error) => void,
): QueuePool {
  const pool = new pg.Pool({
    Client: DatabaseClient,
    connectionString: withServerSettings(databaseUrl, queueServerSettings),
    max,
    // Longer than BullMQ waits between two statements of an idle queue.
    idleTimeoutMillis: 60_000,
    application_name: 'signalpost-queue',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
  });

  const open = new Set<pg.PoolClient>();

  pool.setMaxListeners(0);
  pool.on('error', onError);

  pool.on('connect', (client) => {
    open.add(client);
    // The pool drops a connection before it is closed. An error in between must not end the
    // process.
    client.on('error', () => undefined);
    if (pool.ending) void endClient(client);
  });

  pool.on('remove', (client) => open.delete(client));

  return {
    pool,
    async close() {
      pool.end().catch(onError);
      const limit = new AbortController();
      const late = pause(closeLimitMs, undefined, { signal: limit.signal }).catch(() => undefined);
      await Promise.race([Promise.all([...open].map(endClient)), late]);
      limit.abort();
    },
  };
}

/** pg can end a client of a pool, although its type does not declare it. */
async function endClient(client: pg.PoolClient): Promise<void> {
  await (client as unknown as pg.Client).end().catch(() => undefined);
}

/** The channel on which BullMQ announces jobs; each notification names a queue. */
export const jobChannel = 'bullmq_jobs';

/**
 * Stands in for a pool of which each of BullMQ's workers would keep a connection to LISTEN. A signal
 * wakes every session of the database that listens, so a process listens on one connection for all.
 */
export class WorkerPool {
  readonly options: pg.PoolOptions;
  readonly #pool: pg.Pool;
  /** The stand-ins for connections that workers wait on. */
  readonly #listening = new Set<ListeningClient>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.options = pool.options;
  }

  /** Wakes the worker of `queue`. */
  announce(queue: string): void {
    const message = { channel: jobChannel, payload: queue };
    for (const client of this.#listening) client.emit('notification', message);
  }

  /** Adds no listener: the owner of the pool reports its errors. */
  on(): this {
    return this;
  }

  query(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    return this.#pool.query(text, values);
  }

  connect(): Promise<ListeningClient> {
    const client = new ListeningClient(this, () => this.#listening.delete(client));
    this.#listening.add(client);
    return Promise.resolve(client);
  }

  /** Leaves the pool open: its owner ends it. */
  end(): Promise<void> {
    return Promise.resolve();
  }
}

/** The stand-in that a BullMQ worker takes for its own connection. */
class ListeningClient extends EventEmitter {
  readonly release: () => void;
  readonly #pool: WorkerPool;

  constructor(pool: WorkerPool, release: () => void) {
    super();
    this.#pool = pool;
    this.release = release;
  }

  /** Runs reads of the schema. LISTEN, and the name of the session, are not for a shared connection. */
  query(text: string, values?: unknown[]): Promise<unknown> {
    if (/\blisten\b|application_name/i.test(text)) return Promise.resolve({ rows: [] });
    return this.#pool.query(text, values);
  }
}
