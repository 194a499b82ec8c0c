import { channel } from 'node:diagnostics_channel';
import type { TLSSocket } from 'node:tls';
import type { ResponseHead } from './response-head.js';
import { ResponseParser } from './response-parser.js';
import { type Connect, connectionReset } from '../ssrf/ssrf-guard.js';

/** Hears of one request on a connection; after `ended` or `failed` of nothing more. */
export interface ResponseHandler {
  /** The connection is up, and the request goes out. */
  sent(): void;
  /** A head has arrived: a 1xx, or the one that counts. */
  head(head: ResponseHead): void;
  /** The whole answer has arrived. @param kept whether the connection may carry another request */
  ended(reusable: boolean): void;
  failed(error: Error): void;
}

/** Each socket whose handshake has succeeded: `{ origin, socket }`. */
export const connectedChannel = channel('signalpost:receiver:connected');

const defaultIdleMs = 5_000;
const maxIdleMs = 30_000;
/** What a receiver says of its own patience is cut by this, lest a request meets its end. */
const idleMarginMs = 2_000;

/** One connection to one origin, which carries one request at a time. */
export class Connection {
  readonly #connect: Connect;
  readonly #closed: (connection: Connection) => void;
  #socket: TLSSocket | undefined;
  #isTrusted: (() => boolean) | undefined;
  #handler: ResponseHandler | undefined;
  #parser: ResponseParser | undefined;
  #idleMs = defaultIdleMs;
  #paused = false;
  /** A request that waits for the end of the rest. */
  #next: Buffer | undefined;

  /** @param closed hears when it is gone while nothing was asked of it */
  constructor(
    readonly origin: string,
    connect: Connect,
    closed: (connection: Connection) => void,
  ) {
    this.#connect = connect;
    this.#closed = closed;
  }

  /** How long it may stay idle. */
  get idleMs(): number {
    return this.#idleMs;
  }

  /** Sends a request, over a new socket the first time. */
  dispatch(request: Buffer, handler: ResponseHandler): void {
    this.#handler = handler;
    this.#parser = new ResponseParser((head) => handler.head(head));
    if (this.#paused) this.#next = request;
    else this.#start(request);
  }

  /** Closes at once, also while it is still being opened; its handler hears nothing. */
  destroy(): void {
    const socket = this.#socket;
    [this.#handler, this.#next, this.#socket] = [undefined, undefined, undefined];
    socket?.on('error', () => undefined).destroy();
  }

  #start(request: Buffer): void {
    const socket = this.#socket;
    if (socket && this.#isTrusted?.() !== false) {
      this.#send(socket, request);
    } else {
      socket?.destroy();
      this.#open(request);
    }
  }

  #open(request: Buffer): void {
    const { hostname, port } = new URL(this.origin);
    const socket = this.#connect(
      { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 443 : Number(port) },
      (bytes) => this.#receive(socket, bytes),
      (error, isTrusted) => {
        this.#isTrusted = isTrusted;
        if (error) {
          this.#drop(socket, error);
          return;
        }
        connectedChannel.publish({ origin: this.origin, socket });
        this.#send(socket, request);
      },
    );
    this.#socket = socket;
    socket.on('error', (error: Error) => this.#drop(socket, error));
    socket.on('end', () => this.#end(socket));
    socket.on('close', () => this.#drop(socket, connectionReset()));
  }

  #send(socket: TLSSocket, request: Buffer): void {
    this.#handler?.sent();
    socket.write(request);
  }

  #receive(socket: TLSSocket, bytes: Buffer): void {
    const [handler, parser] = [this.#handler, this.#parser];
    // Whatever comes unasked would be taken for the next answer.
    if (!handler || !parser || this.#next) {
      this.#drop(socket, connectionReset());
      return;
    }
    try {
      const progress = parser.feed(bytes);
      if (progress !== 'more') this.#finish(handler, progress === 'whole', parser.idleMs);
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
   * Lets the event loop look at all sockets once more before the next request, which would be lost
   * with a receiver that closes right after its answer, or be answered by what came with it. By then we
   * know too whether all of the last request has left: the rest of one that was answered early would
   * stand before the next one. The answer may be here before that, where the process is busy.
   */
  #pauseBeforeReuse(): void {
    this.#paused = true;
    // The first comes right after the look that brought the answer, the second after the next look.
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

  /** Nothing more can be had from `socket`. A request that has not been sent gets a new one. */
  #drop(socket: TLSSocket, error: Error): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    socket.on('error', () => undefined).destroy();
    if (this.#next) return;
    const handler = this.#handler;
    this.#handler = undefined;
    if (handler) handler.failed(error);
    else this.#closed(this);
  }
}
