import { channel } from 'node:diagnostics_channel';
import type { TLSSocket } from 'node:tls';
import type { ResponseHandler } from './response-handler.js';
import { ResponseParser } from './response-parser.js';
import {
  type Connect,
  connectionReset,
  type Opening,
  type SecureConnection,
} from '../ssrf/ssrf-guard.js';

/** Publishes each socket after its TLS handshake: `{ origin, socket }`. */
export const connectedChannel = channel('signalpost:receiver:connected');

const defaultIdleMs = 5_000;
const maxIdleMs = 30_000;
/** Subtracted from the receiver's own idle timeout, so that no request meets its end. */
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
  /** A request that waits for the pause before reuse, or until its handler lets it be sent. */
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

  /** Closes at once, even while the socket is opening; its handler gets no event. */
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
    const { hostname, port } = new URL(this.origin);
    this.#opening = { startedAt: performance.now() };
    let socket: TLSSocket | undefined;
    this.#stopOpening = this.#connect(
      { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 443 : Number(port) },
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

  /** A socket that is lost while the request waits is replaced, as in the pause before reuse. */
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
    // An unsolicited response would be taken for the response to the next request.
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
   * Waits until the event loop has polled all sockets once more. This matters in three cases:
   * - The receiver closes right after its response: the next request would be lost.
   * - Extra bytes came with the response: they would be taken for the next response.
   * - The receiver answered early: the unsent rest of the last request would precede the next one.
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

  /** Abandons `socket`. A request that has not been sent gets a new one. */
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
