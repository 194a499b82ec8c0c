import { Connection } from './connection.js';
import type { Connect } from './target-guard.js';

/** Bounds of what is kept open towards receivers. */
export interface ConnectionLimits {
  /** Connections to one origin at a time; further attempts wait within their deadline. */
  readonly perOrigin: number;
  /** Idle connections of the process; the one idle for longest is closed first. */
  readonly idle: number;
}

/** Takes a turn on a connection; called at once or when one is free. */
type Turn = (connection: Connection) => void;

/** The connections to one origin: how many there are, which are idle, who waits for one. */
interface Origin {
  open: number;
  readonly idle: Connection[];
  readonly waiting: Set<Turn>;
}

const sweepMs = 1_000;

/**
 * All connections of a poster, kept alive between attempts. An idle connection leaves within a second
 * of the end of its time, when the other side closes it, or when more than `limits.idle` are idle; an
 * origin is forgotten with its last connection.
 */
export class Connections {
  readonly #origins = new Map<string, Origin>();
  /** When each has been idle for long enough, the one that is idle for longest first. */
  readonly #idle = new Map<Connection, number>();
  #sweeping = false;

  constructor(
    private readonly connect: Connect,
    private readonly limits: ConnectionLimits,
  ) {}

  /** Calls `turn` with a connection as soon as there is one. The result gives up the waiting. */
  take(name: string, turn: Turn): () => void {
    const origin = this.#originOf(name);
    const idle = origin.idle.pop();
    if (idle) {
      this.#idle.delete(idle);
      turn(idle);
    } else if (origin.open < this.limits.perOrigin) {
      turn(this.#open(name, origin));
    } else {
      origin.waiting.add(turn);
    }
    return () => origin.waiting.delete(turn);
  }

  /** Hands a connection back after a whole exchange. */
  giveBack(connection: Connection): void {
    const origin = this.#originOf(connection.origin);
    if (this.#nextTurn(origin, connection)) return;
    origin.idle.push(connection);
    this.#idle.set(connection, performance.now() + connection.idleMs);
    this.#sweepSoon();
    if (this.#idle.size <= this.limits.idle) return;
    const [oldest] = this.#idle.keys();
    if (oldest) this.#forget(oldest);
  }

  /** Closes a connection whose exchange broke off. */
  discard(connection: Connection): void {
    connection.destroy();
    const origin = this.#originOf(connection.origin);
    origin.open -= 1;
    if (origin.waiting.size > 0) {
      this.#nextTurn(origin, this.#open(connection.origin, origin));
    } else if (origin.open === 0) {
      this.#origins.delete(connection.origin);
    }
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

  #originOf(name: string): Origin {
    let origin = this.#origins.get(name);
    if (!origin) {
      origin = { open: 0, idle: [], waiting: new Set() };
      this.#origins.set(name, origin);
    }
    return origin;
  }

  #open(name: string, origin: Origin): Connection {
    origin.open += 1;
    return new Connection(name, this.connect, (connection) => this.#forget(connection));
  }

  #nextTurn(origin: Origin, connection: Connection): boolean {
    const [turn] = origin.waiting;
    if (!turn) return false;
    origin.waiting.delete(turn);
    turn(connection);
    return true;
  }

  #forget(connection: Connection): void {
    if (!this.#idle.delete(connection)) return;
    const { idle } = this.#originOf(connection.origin);
    idle.splice(idle.indexOf(connection), 1);
    this.discard(connection);
  }
}
