import type { ServerResponse } from 'node:http';
import type { StreamKind } from '../../domain/stream/changes.js';
import type { StreamItem } from '../../domain/stream/items.js';
import { type CutReason, cutFrame, heartbeat, resetFrame, type StreamAccess } from './frames.js';

/** Who opened a stream, and what it shows. */
export interface StreamOwner {
  readonly account: string;
  readonly filter: StreamFilter;
  /** What the credential or session allowed when the stream was opened. */
  readonly access: StreamAccess;
  /** Looks up what the credential or session allows now; undefined if the stream must end. */
  readonly findAccess: () => Promise<StreamAccess | undefined>;
}

/** At most this many bytes wait for a client. */
const maxUnsent = 1_048_576;
/** While a client catches up, the service waits for it once this many bytes wait. */
const fullAt = 65_536;
/** How long the last frame may take. */
const endMs = 5_000;

/** The response of one stream. */
export class StreamClient {
  readonly #response: ServerResponse;
  readonly #onCut: (reason: CutReason | 'reset') => void;
  readonly #drainMs: number;
  #ended = false;
  #access: StreamAccess;
  /** Look-ups of the access that began, and the latest of them that has been answered. */
  #lookUps = 0;
  #answeredLookUp = 0;

  constructor(
    response: ServerResponse,
    readonly owner: StreamOwner,
    onCut: (reason: CutReason | 'reset') => void,
    drainMs = streamIntervals.drainMs,
  ) {
    this.#response = response;
    this.#onCut = onCut;
    this.#drainMs = drainMs;
    this.#access = owner.access;
  }

  /** What the client may read, as the last look-up found it. */
  get access(): StreamAccess {
    return this.#access;
  }

  /** True once the client has gone or was cut. */
  get ended(): boolean {
    return this.#ended || isDisconnected(this.#response);
  }

  /**
   * Looks up again what the client may read, and cuts it if that is nothing. Of look-ups at the same
   * time the one that began last decides: an earlier one may not have seen a revocation.
   */
  async recheck(): Promise<void> {
    if (this.ended) return;

    this.#lookUps += 1;

    const lookUp = this.#lookUps;

    let access: StreamAccess | undefined;
    try {
      access = await this.owner.findAccess();
    } catch {
      // While the database does not answer, nothing new can be streamed either.
      return;
    }

    if (lookUp < this.#answeredLookUp) return;

    this.#answeredLookUp = lookUp;
    if (access) this.#access = access;
    else this.cut('credential_revoked');
  }

  wants(item: StreamItem): boolean {
    return matchesFilter(this.owner.filter, item);
  }

  /** Whether the frame fits into what may wait for the client. */
  hasRoomFor(frame: Buffer): boolean {
    const unsent = this.#response.writableLength;
    return unsent === 0 || unsent + frame.length <= maxUnsent;
  }

  /** Writes a frame, or ends the stream of a client for which too much waits. */
  send(frame: Buffer): void {
    if (this.ended) return;
    this.#response.write(frame);
    if (this.#response.writableLength > maxUnsent) this.cut('slow_client');
  }

  /** Writes a comment, which keeps the connection open. */
  beat(): void {
    this.send(heartbeat);
  }

  cut(reason: CutReason): void {
    this.#end(cutFrame(reason), reason);
  }

  reset(): void {
    this.#end(resetFrame, 'reset');
  }

  /** Resolves when the client has read most of what was sent, or has gone. */
  async drained(): Promise<void> {
    const response = this.#response;
    if (this.ended || response.writableLength <= fullAt) return;

    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        response.off('drain', done);
        response.off('close', done);
        resolve();
      };
      const timer = setTimeout(() => {
        this.cut('slow_client');
        done();
      }, this.#drainMs);
      response.on('drain', done);
      response.on('close', done);
    });
  }

  #end(frame: Buffer, reason: CutReason | 'reset'): void {
    if (this.ended) return;
    this.#ended = true;
    this.#onCut(reason);
    const response = this.#response;
    const timer = setTimeout(() => response.destroy(), endMs).unref();
    response.once('close', () => clearTimeout(timer));
    response.end(frame);
  }
}

/** Whether a response ended, or its connection closed. */
export function isDisconnected(response: ServerResponse): boolean {
  return response.destroyed || response.req.socket.destroyed;
}

/**
 * Calls back once when a response ends or its connection closes. Node emits no close on a response that
 * waits behind another on its connection.
 */
export function onDisconnect(response: ServerResponse, callback: () => void): void {
  const { socket } = response.req;
  let called = false;
  // Node closes the response while it calls the listeners of the socket, so both events arrive.
  const disconnected = () => {
    if (called) return;
    called = true;
    response.off('close', disconnected);
    socket.off('close', disconnected);
    callback();
  };
  response.once('close', disconnected);
  socket.once('close', disconnected);
}

/** Which items a client wants; a member that is undefined filters nothing. */
export interface StreamFilter {
  readonly kinds: ReadonlySet<StreamKind> | undefined;
  /** Types of events, and of the events of deliveries. */
  readonly types: ReadonlySet<string> | undefined;
  /** The deliveries and changes of this endpoint, and events that were not published for another endpoint only. */
  readonly endpoint: string | undefined;
}

/** Whether a client with this filter gets the item. */
function matchesFilter({ kinds, types, endpoint }: StreamFilter, item: StreamItem): boolean {
  if (kinds && !kinds.has(item.kind)) return false;
  const type = typeOf(item);
  if (types && type !== undefined && !types.has(type)) return false;
  return endpoint === undefined || (endpointOf(item) ?? endpoint) === endpoint;
}

function typeOf(item: StreamItem): string | undefined {
  switch (item.kind) {
    case 'event':
      return item.event.type;
    case 'delivery':
      return item.delivery.eventType;
    case 'endpoint':
      return undefined;
  }
}

function endpointOf(item: StreamItem): string | null {
  switch (item.kind) {
    case 'event':
      return item.event.endpointId;
    case 'delivery':
      return item.delivery.endpointId;
    case 'endpoint':
      return item.endpoint.id;
  }
}

/** How often the hub looks after its clients, in milliseconds. */
export interface StreamIntervals {
  readonly heartbeatMs: number;
  /** Between look-ups of credentials: expiry has no notification, and one may get lost. */
  readonly recheckMs: number;
  /** A client that reads what waits for it more slowly is cut. */
  readonly drainMs: number;
}

export const streamIntervals: StreamIntervals = {
  heartbeatMs: 15_000,
  recheckMs: 60_000,
  drainMs: 30_000,
};
