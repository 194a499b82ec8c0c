import {
  type Connect,
  connectionReset,
  destinationOf,
  type Opening,
  type SecureConnection,
} from './ssrf-guard.js';
import { channel } from 'node:diagnostics_channel';
import type { TLSSocket } from 'node:tls';
import { ResponseParser, type ContentSink, type ResponseHead } from './response-parser.js';

/** Limits for connections to receivers. */
interface ConnectionPoolLimits {
  /** At most this many connections of one account to one origin. Further attempts wait within their timeout. */
  readonly perOrigin: number;
  /** At most this many idle connections. Beyond it, the one that is idle for longest is closed. */
  readonly idle: number;
}

/** Takes a connection when one is free. */
type Waiter = (connection: Connection) => void;

/** The origin of a connection, and the account that uses it. */
interface Destination {
  readonly origin: string;
  /** Empty for requests without an account. */
  readonly account: string;
}

/** The connections of one account to one origin, and those who wait for one. */
interface Pool extends Destination {
  readonly key: string;
  open: number;
  readonly idle: Connection[];
  readonly waiting: Set<Waiter>;
}

const idleCheckMs = 1_000;

/**
 * All connections of a webhook client, kept alive between attempts. Each belongs to one account, so a receiver
 * that sends extra bytes disturbs only that account. An idle connection is closed within a second after
 * its idle time, when the receiver closes it, and when more than `limits.idle` are idle. The pool of a
 * destination is removed with its last connection.
 */
export class ConnectionPool {
  readonly #pools = new Map<string, Pool>();
  readonly #poolOf = new WeakMap<Connection, Pool>();
  /** When the idle time of each connection ends; the one that is idle for longest comes first. */
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

  /** Closes all idle connections. */
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

/** Publishes each socket after its TLS handshake: `{ origin, socket }`. */
export const connectedChannel = channel('signalpost:receiver:connected');

const defaultIdleMs = 5_000;
const maxIdleMs = 30_000;
/** Subtracted from the idle timeout of the receiver, so that no request arrives as it closes. */
const idleMarginMs = 2_000;

/** One connection to one origin. It carries one request at a time. */
export class Connection {
  readonly #connect: Connect;
  readonly #closed: (connection: Connection) => void;
  #socket: TLSSocket | undefined;
  #stopOpening: (() => void) | undefined;
  #isTrusted: (() => boolean) | undefined;
  #handler: ResponseHandler | undefined;
  #parser: ResponseParser | undefined;
  #idleMs = defaultIdleMs;
  #opening: Opening | undefined;
  #responded = false;
  #paused = false;
  /** A request that waits for the pause before reuse, or for its handler to release it. */
  #next: Buffer | undefined;

  /** @param closed called when the connection closes while it is idle */
  constructor(
    readonly origin: string,
    connect: Connect,
    closed: (connection: Connection) => void,
  ) {
    this.#connect = connect;
    this.#closed = closed;
  }

  /** How long it may stay idle, in milliseconds. */
  get idleMs(): number {
    return this.#idleMs;
  }

  /** How its latest socket was opened; undefined before the first request. */
  get opening(): Opening | undefined {
    return this.#opening;
  }

  /** Sends a request; the first one opens a socket. */
  dispatch(request: Buffer, handler: ResponseHandler): void {
    this.#handler = handler;
    this.#responded = false;
    const parser = new ResponseParser((head, text) => {
      parser.onContent = handler.head(head, text);
    });
    this.#parser = parser;
    if (this.#paused) this.#next = request;
    else this.#start(request);
  }

  /** Closes immediately, even while the socket opens; its handler gets no event. */
  destroy(): void {
    const socket = this.#socket;
    this.#handler = undefined;
    this.#next = undefined;
    this.#socket = undefined;

    this.#stopOpening?.();
    socket?.on('error', () => undefined).destroy();
  }

  #start(request: Buffer): void {
    const socket = this.#socket;
    if (socket && this.#isTrusted?.() !== false) {
      this.#send(socket, request);
    } else {
      this.#socket = undefined;
      socket?.destroy();
      this.#open(request);
    }
  }

  #open(request: Buffer): void {
    this.#opening = { startedAt: performance.now() };

    let socket: TLSSocket | undefined;
    this.#stopOpening = this.#connect(
      destinationOf(this.origin),
      (bytes) => {
        if (socket) this.#receive(socket, bytes);
      },
      (end) => {
        this.#stopOpening = undefined;
        if (end instanceof Error) {
          this.#lose(end);
          return;
        }
        socket = end.socket;
        this.#opened(end);
        this.#send(socket, request);
      },
      this.#opening,
    );
  }

  #opened({ socket, isTrusted }: SecureConnection): void {
    this.#socket = socket;
    this.#isTrusted = isTrusted;
    socket.on('error', (error: Error) => this.#drop(socket, error));
    socket.on('end', () => this.#end(socket));
    socket.on('close', () => this.#drop(socket, connectionReset()));
    connectedChannel.publish({ origin: this.origin, socket });
  }

  #send(socket: TLSSocket, request: Buffer): void {
    const handler = this.#handler;
    if (handler?.ready) this.#sendWhenReady(handler, request);
    else this.#write(socket, request);
  }

  #write(socket: TLSSocket, request: Buffer): void {
    const handler = this.#handler;
    handler?.sent();
    const written = handler?.written;
    if (!written) socket.write(request);
    else
      socket.write(request, (error) => {
        if (!error) written();
      });
  }

  /** Replaces a socket that is lost while the request waits, as in the pause before reuse. */
  #sendWhenReady(handler: ResponseHandler, request: Buffer): void {
    this.#next = request;
    handler.ready?.(() => {
      if (this.#handler !== handler || this.#next !== request) return;
      this.#next = undefined;
      if (this.#socket) this.#write(this.#socket, request);
      else this.#open(request);
    });
  }

  #receive(socket: TLSSocket, bytes: Buffer): void {
    const handler = this.#handler;
    const parser = this.#parser;

    // An unsolicited response would be mistaken for the response to the next request.
    if (!handler || !parser || this.#next) {
      this.#drop(socket, connectionReset());
      return;
    }

    if (!this.#responded) {
      this.#responded = true;
      handler.firstByte?.();
    }

    try {
      const progress = parser.feed(bytes);
      if (progress === 'more') handler.incomplete?.();
      else this.#finish(handler, progress === 'whole', parser.idleMs);
    } catch (error) {
      this.#drop(socket, error as Error);
    }
  }

  #end(socket: TLSSocket): void {
    const handler = this.#handler;
    const complete = handler && !this.#next && this.#parser?.endsWithConnection;
    if (complete) this.#finish(handler, false, undefined);
    else this.#drop(socket, connectionReset());
  }

  #finish(handler: ResponseHandler, complete: boolean, hintMs: number | undefined): void {
    if (this.#handler !== handler) return;
    this.#handler = undefined;
    this.#idleMs =
      hintMs === undefined ? defaultIdleMs : Math.min(hintMs - idleMarginMs, maxIdleMs);
    const reusable = complete && this.#idleMs > 0;
    if (reusable) this.#pauseBeforeReuse();
    handler.ended(reusable);
  }

  /**
   * Waits until the event loop has polled all sockets once more, for three cases:
   * - The receiver closes right after its response: the next request would be lost.
   * - Extra bytes follow the response: they would be mistaken for the next response.
   * - The receiver responded early: the unsent rest of the last request would precede the next one.
   * In a busy process the response may arrive before the process knows that its write is complete.
   */
  #pauseBeforeReuse(): void {
    this.#paused = true;
    // The first callback runs right after the poll that read the response, the second after the
    // next poll.
    setImmediate(() => setImmediate(() => this.#resume()));
  }

  #resume(): void {
    const socket = this.#socket;
    if (socket && socket.writableLength > 0) this.#drop(socket, connectionReset());
    this.#paused = false;
    const request = this.#next;
    this.#next = undefined;
    if (request && this.#handler) this.#start(request);
  }

  /** Abandons `socket`. A request that was not sent yet gets a new one. */
  #drop(socket: TLSSocket, error: Error): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    socket.on('error', () => undefined).destroy();
    this.#lose(error);
  }

  #lose(error: Error): void {
    if (this.#next) return;
    const handler = this.#handler;
    this.#handler = undefined;
    if (handler) handler.failed(error);
    else this.#closed(this);
  }
}

/** Receives the events of one request, the last of which is `ended` or `failed`. */
export interface ResponseHandler {
  /**
   * The connection is open; calls `send` when the request may be sent. Without it, the request is sent
   * immediately. Called again if the connection is lost meanwhile and a new one opens.
   */
  ready?(send: () => void): void;
  /** The connection is open, and the request is being sent. */
  sent(): void;
  /** The operating system has taken the last byte of the request. */
  readonly written?: () => void;
  /** The first bytes of a response have arrived. */
  firstByte?(): void;
  /**
   * A response head has arrived, a 1xx or the final one.
   * @param text the head as Latin-1, without the empty line after it
   * @returns a function that gets the content of the body
   */
  head(head: ResponseHead, text: string): ContentSink | undefined;
  /** All bytes that have arrived are parsed, and the response is not complete. */
  incomplete?(): void;
  /**
   * The whole response has arrived.
   * @param reusable whether the connection may carry another request
   */
  ended(reusable: boolean): void;
  failed(error: Error): void;
}
