import type { TLSSocket } from 'node:tls';
import { Client, type Dispatcher } from 'undici';
import type { Connect } from './target-guard.js';

/** Bounds of what is kept open towards receivers. */
export interface ConnectionLimits {
  /** Connections to one origin at a time; further attempts wait within their deadline. */
  readonly perOrigin: number;
  /** Idle connections of the process; the one idle for longest is closed first. */
  readonly idle: number;
}

const mostHeaderBytes = 16 * 1_024;
const mostBodyBytes = 64 * 1_024;
/** Headers and body with room for framing: chunk lines, informational answers, trailers. */
const mostBytesOfAnswer = 2 * (mostHeaderBytes + mostBodyBytes);

const clientOptions: Omit<Client.Options, 'connect'> = {
  pipelining: 1,
  allowH2: false,
  maxHeaderSize: mostHeaderBytes,
  maxResponseSize: mostBodyBytes,
  keepAliveTimeout: 5_000,
  keepAliveMaxTimeout: 30_000,
  // Each exchange has one deadline of its own over all of its phases.
  headersTimeout: 0,
  bodyTimeout: 0,
};

/** One connection to one origin, which carries one exchange at a time. */
export class Connection {
  readonly #client: Client;
  #socket: TLSSocket | undefined;
  #bytesBefore = 0;

  constructor(
    readonly origin: string,
    connect: Connect,
    closed: (connection: Connection) => void,
  ) {
    this.#client = new Client(origin, {
      ...clientOptions,
      connect: (options, done) => {
        connect(
          options,
          (socket) => {
            this.#socket = socket;
            this.#bytesBefore = 0;
            socket.on('readable', () => this.#boundAnswer(socket));
          },
          done,
        );
      },
    });
    this.#client.on('disconnect', () => closed(this));
  }

  /** Sends a request; `handler` hears of the answer. */
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#bytesBefore = this.#socket?.bytesRead ?? 0;
    this.#client.dispatch(request, handler);
  }

  /** Closes at once, also while it is still being opened. */
  destroy(): void {
    void this.#client.destroy();
    this.#socket?.on('error', () => undefined).destroy();
  }

  #boundAnswer(socket: TLSSocket): void {
    if (socket.bytesRead - this.#bytesBefore <= mostBytesOfAnswer) return;
    const error = new Error('the answer is too long');
    socket.destroy(Object.assign(error, { code: 'ERR_RESPONSE_TOO_LONG' }));
  }
}

/** Takes a turn on a connection; called at once or when one is free. */
type Turn = (connection: Connection) => void;

/** The connections to one origin: how many there are, which are idle, who waits for one. */
interface Origin {
  open: number;
  readonly idle: Connection[];
  readonly waiting: Set<Turn>;
}

/**
 * All connections of a poster, kept alive between attempts. Every bound is kept without a timer:
 * an idle connection leaves when its keep-alive time ends, when the other side closes it, or when
 * more than `limits.idle` are idle; an origin is forgotten with its last connection.
 */
export class Connections {
  readonly #origins = new Map<string, Origin>();
  readonly #idle = new Set<Connection>();

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
    this.#idle.add(connection);
    if (this.#idle.size <= this.limits.idle) return;
    const [oldest] = this.#idle;
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
    for (const connection of this.#idle) this.#forget(connection);
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
