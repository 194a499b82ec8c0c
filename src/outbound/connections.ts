import { Connection } from './connection.js';
import type { Connect } from './target-guard.js';

/** Bounds of what is kept open towards receivers. */
export interface ConnectionLimits {
  /** Connections of one account to one origin at a time; further attempts wait within their deadline. */
  readonly perOrigin: number;
  /** Idle connections of the process; the one idle for longest is closed first. */
  readonly idle: number;
}

/** Takes a turn on a connection; called at once or when one is free. */
type Turn = (connection: Connection) => void;

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
  readonly waiting: Set<Turn>;
}

const sweepMs = 1_000;

/**
 * All connections of a poster, kept alive between attempts of one account: a receiver that answers
 * more than it was asked disturbs only the account that sent to it. An idle connection leaves within a second
 * of the end of its time, when the other side closes it, or when more than `limits.idle` are idle; a
 * pool is forgotten with its last connection.
 */
export class Connections {
  readonly #pools = new Map<string, Pool>();
  readonly #poolOf = new WeakMap<Connection, Pool>();
  /** When each has been idle for long enough, the one that is idle for longest first. */
  readonly #idle = new Map<Connection, number>();
  #sweeping = false;

  constructor(
    private readonly connect: Connect,
    private readonly limits: ConnectionLimits,
  ) {}

  /** Calls `turn` with a connection as soon as there is one. The result gives up the waiting. */
  take(destination: Destination, turn: Turn): () => void {
    const pool = this.#poolTo(destination);
    const idle = pool.idle.pop();
    if (idle) {
      this.#idle.delete(idle);
      turn(idle);
    } else if (pool.open < this.limits.perOrigin) {
      turn(this.#open(pool));
    } else {
      pool.waiting.add(turn);
    }
    return () => pool.waiting.delete(turn);
  }

  /** Hands a connection back after a whole exchange. */
  giveBack(connection: Connection): void {
    const pool = this.#poolOf.get(connection);
    if (!pool || this.#nextTurn(pool, connection)) return;
    pool.idle.push(connection);
    this.#idle.set(connection, performance.now() + connection.idleMs);
    this.#sweepSoon();
    if (this.#idle.size <= this.limits.idle) return;
    const [oldest] = this.#idle.keys();
    if (oldest) this.#forget(oldest);
  }

  /** Closes a connection whose exchange broke off. */
  discard(connection: Connection): void {
    connection.destroy();
    const pool = this.#poolOf.get(connection);
    if (!pool) return;
    pool.open -= 1;
    if (pool.waiting.size > 0) this.#nextTurn(pool, this.#open(pool));
    else if (pool.open === 0) this.#pools.delete(pool.key);
  }

  /** Closes every idle connection. */
  closeIdle(): void {
    for (const connection of this.#idle.keys()) this.#forget(connection);
  }

  /** One timer for all, which keeps no process alive. */
  #sweepSoon(): void {
    if (this.#sweeping) return;
    this.#sweeping = true;
    const sweep = () => {
      this.#sweeping = false;
      const now = performance.now();
      for (const [connection, until] of this.#idle) if (until <= now) this.#forget(connection);
      if (this.#idle.size > 0) this.#sweepSoon();
    };
    setTimeout(sweep, sweepMs).unref();
  }

  #poolTo({ origin, account }: Destination): Pool {
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
    const forget = (closed: Connection) => this.#forget(closed);
    const connection = new Connection(pool.origin, this.connect, forget);
    this.#poolOf.set(connection, pool);
    return connection;
  }

  #nextTurn(pool: Pool, connection: Connection): boolean {
    const [turn] = pool.waiting;
    if (!turn) return false;
    pool.waiting.delete(turn);
    turn(connection);
    return true;
  }

  #forget(connection: Connection): void {
    if (!this.#idle.delete(connection)) return;
    const idle = this.#poolOf.get(connection)?.idle;
    idle?.splice(idle.indexOf(connection), 1);
    this.discard(connection);
  }
}
