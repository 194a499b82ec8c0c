import { Connection } from './connection.js';
import type { Connect } from '../ssrf/ssrf-guard.js';

/** Bounds of what is kept open towards receivers. */
export interface ConnectionPoolLimits {
  /** Connections of one account to one origin at a time; further attempts wait within their deadline. */
  readonly perOrigin: number;
  /** Idle connections of the process; the one idle for longest is closed first. */
  readonly idle: number;
}

/** Takes a turn on a connection; called at once or when one is free. */
type Waiter = (connection: Connection) => void;

/** Where a connection leads, and whose requests it carries. */
export interface Destination {
  readonly origin: string;
  /** Empty for requests of no account. */
  readonly account: string;
}

/** The connections of one account to one origin: how many there are, which are idle, who waits. */
interface Pool extends Destination {
  readonly key: string;
  open: number;
  readonly idle: Connection[];
  readonly waiting: Set<Waiter>;
}

const idleCheckMs = 1_000;

/**
 * All connections of a poster, kept alive between attempts of one account: a receiver that answers
 * more than it was asked disturbs only the account that sent to it. An idle connection leaves within a second
 * of the end of its time, when the other side closes it, or when more than `limits.idle` are idle; a
 * pool is forgotten with its last connection.
 */
export class ConnectionPool {
  readonly #pools = new Map<string, Pool>();
  readonly #poolOf = new WeakMap<Connection, Pool>();
  /** When each has been idle for long enough, the one that is idle for longest first. */
  readonly #idle = new Map<Connection, number>();
  #idleCheckScheduled = false;

  constructor(
    private readonly connect: Connect,
    private readonly limits: ConnectionPoolLimits,
  ) {}

  /** Calls `turn` with a connection as soon as there is one. The result gives up the waiting. */
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

  /** Hands a connection back after a whole exchange. */
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

  /** Closes a connection whose exchange broke off. */
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

  /** One timer for all, which keeps no process alive. */
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
