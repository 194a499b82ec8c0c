import type { Dispatcher } from 'undici';
import type { Attempt, Outcome } from '../domain/delivery/outcome.js';
import type { Connection, Connections } from './connections.js';
import { isOurFault, outcomeOfError } from './failure.js';
import { parseRetryAfter } from './retry-after.js';

/** Informational answers (1xx) that are waited through before the receiver counts as broken. */
const mostInformational = 16;

/** A request with everything decided: where, and which bytes. */
export interface Message {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** When it begins. */
  readonly at: Date;
}

/**
 * One request and its answer under one deadline. The outcome is what status line and headers say;
 * the rest of the answer is read only to have the connection free again, and whatever it does
 * changes nothing. The attempt ends when the connection is given back or closed, so whoever counts
 * attempts counts sockets.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #connections: Connections;
  readonly #done: (end: Attempt | Error) => void;
  readonly #startedAt = performance.now();
  readonly #at: number;
  readonly #deadline: NodeJS.Timeout;
  readonly #stopWaiting: () => void;
  #connection: Connection | undefined;
  #sent = false;
  #ended = false;
  #informational = 0;
  #attempt: Attempt | undefined;

  constructor(
    message: Message,
    connections: Connections,
    timeoutMs: number,
    done: (end: Attempt | Error) => void,
  ) {
    this.#at = message.at.getTime();
    this.#connections = connections;
    this.#done = done;
    this.#deadline = setTimeout(() => this.#expire(), timeoutMs);
    this.#stopWaiting = connections.take(message.origin, (connection) => {
      this.#connection = connection;
      const { path, headers, body } = message;
      connection.dispatch({ path, method: 'POST', headers, body }, this);
    });
  }

  /** Breaks the exchange off; it ends with `error` in place of an attempt. */
  abandon(error: Error): void {
    this.#end(false, error);
  }

  onRequestStart(): void {
    this.#sent = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status >= 200) {
      const nowMs = this.#at + performance.now() - this.#startedAt;
      this.#know(outcomeOfAnswer(status, headers['retry-after'], nowMs));
    } else if (status < 100 || ++this.#informational > mostInformational) {
      this.#finish(false, { kind: 'unreachable', reason: 'protocol_error' });
    }
  }

  onResponseEnd(): void {
    this.#finish(true, { kind: 'unreachable', reason: 'protocol_error' });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (isOurFault(error)) this.abandon(error);
    else this.#finish(false, outcomeOfError(error));
  }

  #expire(): void {
    const reason = this.#sent ? 'timeout' : 'connect_timeout';
    this.#finish(false, { kind: 'unreachable', reason });
  }

  #know(outcome: Outcome): Attempt {
    const durationMs = Math.round(performance.now() - this.#startedAt);
    return (this.#attempt ??= { outcome, durationMs });
  }

  /** `otherwise` is the outcome unless status and headers had arrived before. */
  #finish(whole: boolean, otherwise: Outcome): void {
    this.#end(whole, this.#know(otherwise));
  }

  #end(whole: boolean, end: Attempt | Error): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#deadline);
    if (!this.#connection) this.#stopWaiting();
    else if (whole) this.#connections.giveBack(this.#connection);
    else this.#connections.discard(this.#connection);
    this.#done(end);
  }
}

function outcomeOfAnswer(
  status: number,
  header: string | string[] | undefined,
  nowMs: number,
): Outcome {
  if (status < 300) return { kind: 'accepted', status };
  const value = typeof header === 'string' ? header : header?.[0];
  if (value === undefined || (status !== 429 && status !== 503))
    return { kind: 'rejected', status };
  const retryAfter = parseRetryAfter(value, nowMs);
  return retryAfter ? { kind: 'rejected', status, retryAfter } : { kind: 'rejected', status };
}
