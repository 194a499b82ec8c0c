import { EventEmitter } from 'node:events';
import type pg from 'pg';

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

  /** Adds no listener: who opens the pool reports its errors. */
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

  /** Leaves the pool open: who opens it ends it. */
  end(): Promise<void> {
    return Promise.resolve();
  }
}

/** What a worker of BullMQ takes for a connection of its own. */
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
