import type { Attempt, Outcome, UnreachableReason } from '../../domain/delivery/outcome.js';
import { AttemptTracer } from './attempt-tracer.js';
import type { ContentSink } from './content.js';
import type { ResponseHead } from './response-head.js';
import type { Connection } from './connection.js';
import type { ResponseHandler } from './response-handler.js';
import type { ConnectionPool } from './connection-pool.js';
import { outcomeOfError } from '../failure-reason.js';
import { type Message, requestBytes, type SendGate } from './request-bytes.js';
import { parseRetryAfter } from './retry-after.js';

/** Informational responses (1xx) that an exchange accepts, at most. */
const maxInformational = 16;
/** How long the body of a 2xx may stay open after its headers, in milliseconds. */
const acceptedBodyMs = 1_000;

/**
 * One request and its response under one timeout. Status line and headers decide the outcome. The
 * rest of the response is read only to free the connection, and cannot change the outcome. After a
 * 2xx it is read for at most {@link acceptedBodyMs}, because the slot of the attempt is held
 * meanwhile. The attempt ends when its connection is released or closed, so a count of attempts is
 * a count of sockets, but for the few that a connection tries while it opens.
 */
export class Exchange implements ResponseHandler {
  readonly #connections: ConnectionPool;
  readonly #done: (end: Attempt | Error) => void;
  readonly #startedAt = performance.now();
  readonly #at: number;
  readonly #timeoutMs: number;
  readonly ready?: (send: () => void) => void;
  readonly written?: () => void;
  readonly #stopWaiting: () => void;
  readonly #tracer: AttemptTracer | undefined;
  #connection: Connection | undefined;
  #deadline: NodeJS.Timeout;
  /** How long the gate held the request, which counts towards neither timeout nor duration. */
  #heldMs = 0;
  #sent = false;
  #ended = false;
  #bodyIsLimited = false;
  #informational = 0;
  #attempt: Attempt | undefined;

  constructor(
    message: Message,
    connections: ConnectionPool,
    timeoutMs: number,
    done: (end: Attempt | Error) => void,
  ) {
    this.#at = message.at.getTime();
    if (message.trace) {
      const tracer = new AttemptTracer(message.trace, this.#startedAt);
      this.#tracer = tracer;
      if (message.trace.successes) this.written = () => tracer.written();
    }
    this.#connections = connections;
    this.#done = done;
    this.#timeoutMs = timeoutMs;
    const { gate } = message;
    if (gate) this.ready = (send) => void this.#hold(gate, send);
    this.#deadline = setTimeout(() => this.#expire(), timeoutMs);
    this.#stopWaiting = connections.acquire(message, (connection) => {
      this.#connection = connection;
      this.#tracer?.acquired(connection);
      try {
        connection.dispatch(requestBytes(message), this);
      } catch (error) {
        this.abort(error as Error);
      }
    });
  }

  /** Aborts the exchange; it ends with `error` instead of an attempt. */
  abort(error: Error): void {
    this.#end(false, error);
  }

  async #hold(gate: SendGate, send: () => void): Promise<void> {
    const heldAt = performance.now();
    clearTimeout(this.#deadline);
    try {
      await gate();
    } catch (error) {
      this.abort(error as Error);
    }
    if (this.#ended) return;
    this.#heldMs += performance.now() - heldAt;
    this.#deadline = setTimeout(() => this.#expire(), this.#timeoutMs - this.#elapsedMs);
    send();
  }

  get #elapsedMs(): number {
    return performance.now() - this.#startedAt - this.#heldMs;
  }

  sent(): void {
    this.#sent = true;
    this.#tracer?.sent();
  }

  firstByte(): void {
    this.#tracer?.firstByte();
  }

  head({ status, retryAfter }: ResponseHead, text: string): ContentSink | undefined {
    if (status >= 200) {
      const nowMs = this.#at + performance.now() - this.#startedAt;
      this.#recordOutcome(outcomeOfResponse(status, retryAfter, nowMs));
      return this.#tracer?.head(text);
    }
    if (++this.#informational > maxInformational) {
      this.#finish(false, { kind: 'unreachable', reason: 'protocol_error' });
    }
    return undefined;
  }

  incomplete(): void {
    if (this.#bodyIsLimited || this.#attempt?.outcome.kind !== 'accepted') return;
    this.#bodyIsLimited = true;

    if (this.#timeoutMs - this.#elapsedMs <= acceptedBodyMs) return;
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#expire(), acceptedBodyMs);
  }

  ended(reusable: boolean): void {
    this.#tracer?.completed();
    this.#finish(reusable, { kind: 'unreachable', reason: 'protocol_error' });
  }

  failed(error: Error): void {
    this.#tracer?.failed(error);
    this.#finish(false, outcomeOfError(error));
  }

  /**
   * A process that stood still runs its timers before it reads its sockets, where the response may
   * lie already. So the sockets are read once more: an event that was accepted is not sent again.
   * Before the request is sent, nothing could be repeated.
   */
  #expire(): void {
    if (this.#sent) setImmediate(() => this.#giveUp());
    else this.#giveUp();
  }

  #giveUp(): void {
    if (this.#attempt) this.#tracer?.bodyLeftOpen();
    this.#finish(false, { kind: 'unreachable', reason: this.#lateReason() });
  }

  #lateReason(): UnreachableReason {
    if (this.#sent) return 'timeout';
    const { connectedAt, securedAt } = this.#connection?.opening ?? {};
    return connectedAt !== undefined && securedAt === undefined ? 'tls_timeout' : 'connect_timeout';
  }

  #recordOutcome(outcome: Outcome): Attempt {
    const durationMs = Math.round(this.#elapsedMs);
    return (this.#attempt ??= { outcome, durationMs });
  }

  /** @param fallback the outcome if status and headers have not arrived */
  #finish(reusable: boolean, fallback: Outcome): void {
    const hasStatus = this.#attempt !== undefined;
    const attempt = this.#recordOutcome(fallback);
    const trace = this.#tracer?.end(attempt.outcome, hasStatus);
    this.#end(reusable, trace ? { ...attempt, trace } : attempt);
  }

  #end(reusable: boolean, end: Attempt | Error): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#deadline);
    if (!this.#connection) this.#stopWaiting();
    else if (reusable) this.#connections.release(this.#connection);
    else this.#connections.discard(this.#connection);
    this.#done(end);
  }
}

function outcomeOfResponse(status: number, header: string | undefined, nowMs: number): Outcome {
  if (status < 300) return { kind: 'accepted', status };
  if (header === undefined || (status !== 429 && status !== 503))
    return { kind: 'rejected', status };
  const retryAfter = parseRetryAfter(header, nowMs);
  return retryAfter ? { kind: 'rejected', status, retryAfter } : { kind: 'rejected', status };
}
