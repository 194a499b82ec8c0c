import { Connection } from './connection.js';
import type { Connect } from '../ssrf/ssrf-guard.js';

/** Limits of open connections to receivers. */
export interface ConnectionPoolLimits {
  /** Connections of one account to one origin. Further attempts wait within their timeout. */
  readonly perOrigin: number;
  /** Idle connections of the process. Above it, the one idle longest is closed. */
  readonly idle: number;
}

/** Gets a connection, at once or as soon as one is free. */
type Waiter = (connection: Connection) => void;

/** The origin of a connection, and the account whose requests it carries. */
export interface Destination {
  readonly origin: string;
  /** Empty for requests without an account. */
  readonly account: string;
}

/** The connections of one account to one origin: the number open, the idle ones, and the waiters. */
interface Pool extends Destination {
  readonly key: string;
  open: number;
  readonly idle: Connection[];
  readonly waiting: Set<Waiter>;
}

const idleCheckMs = 1_000;

/**
 * All connections of a poster, kept alive between attempts. Each belongs to one account, so a
 * receiver that sends extra bytes only disturbs that account. An idle connection is closed:
 * - within a second of the end of its idle time,
 * - when the receiver closes it,
 * - when more than `limits.idle` are idle.
 * A pool is removed with its last connection.
 */
export class ConnectionPool {
  readonly #pools = new Map<string, Pool>();
  readonly #poolOf = new WeakMap<Connection, Pool>();
  /** When the idle time of each connection ends; the one idle longest comes first. */
  readonly #idle = new Map<Connection, number>();
  #idleCheckScheduled = false;

  constructor(
    private readonly connect: Connect,
    private readonly limits: ConnectionPoolLimits,
  ) {}

  /**
   * Calls `waiter` with a connection as soon as there is one.
   * @returns cancels the wait
   */
  acquire(destination: Destination, waiter: Waiter): () => void {
    const pool = this.#getPool(destination);
    const idle = pool.idle.pop();
    if (idle) {
      this.#idle.delete(idle);
      waiter(idle);
    } else if (pool.open < this.limits.perOrigin) {
      waiter(this.#open(pool));
    } else {
      pool.waiting.add(waiter);
    }
    return () => pool.waiting.delete(waiter);
  }

  /** Takes back a connection after a complete exchange. */
  release(connection: Connection): void {
    const pool = this.#poolOf.get(connection);
    if (!pool || this.#serveWaiter(pool, connection)) return;
    pool.idle.push(connection);
    this.#idle.set(connection, performance.now() + connection.idleMs);
    this.#scheduleIdleCheck();
    if (this.#idle.size <= this.limits.idle) return;
    const [oldest] = this.#idle.keys();
    if (oldest) this.#removeIdle(oldest);
  }

  /** Closes a connection whose exchange was aborted or failed. */
  discard(connection: Connection): void {
    connection.destroy();
    const pool = this.#poolOf.get(connection);
    if (!pool) return;
    pool.open -= 1;
    if (pool.waiting.size > 0) this.#serveWaiter(pool, this.#open(pool));
    else if (pool.open === 0) this.#pools.delete(pool.key);
  }

  /** Closes every idle connection. */
  closeIdle(): void {
    for (const connection of this.#idle.keys()) this.#removeIdle(connection);
  }

  /** One timer for all connections; it does not keep the process alive. */
  #scheduleIdleCheck(): void {
    if (this.#idleCheckScheduled) return;
    this.#idleCheckScheduled = true;
    const checkIdle = () => {
      this.#idleCheckScheduled = false;
      const now = performance.now();
      for (const [connection, until] of this.#idle) if (until <= now) this.#removeIdle(connection);
      if (this.#idle.size > 0) this.#scheduleIdleCheck();
    };
    setTimeout(checkIdle, idleCheckMs).unref();
  }

  #getPool({ origin, account }: Destination): Pool {
    const key = `${account} ${origin}`;
    let pool = this.#pools.get(key);
    if (!pool) {
      pool = { key, origin, account, open: 0, idle: [], waiting: new Set() };
      this.#pools.set(key, pool);
    }
    return pool;
  }

  #open(pool: Pool): Connection {
    pool.open += 1;
    const removeIdle = (closed: Connection) => this.#removeIdle(closed);
    const connection = new Connection(pool.origin, this.connect, removeIdle);
    this.#poolOf.set(connection, pool);
    return connection;
  }

  #serveWaiter(pool: Pool, connection: Connection): boolean {
    const [waiter] = pool.waiting;
    if (!waiter) return false;
    pool.waiting.delete(waiter);
    waiter(connection);
    return true;
  }

  #removeIdle(connection: Connection): void {
    if (!this.#idle.delete(connection)) return;
    const idle = this.#poolOf.get(connection)?.idle;
    idle?.splice(idle.indexOf(connection), 1);
    this.discard(connection);
  }
}
