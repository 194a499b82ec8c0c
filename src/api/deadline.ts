import type { IncomingMessage } from 'node:http';
import type { AbortState } from '../domain/tx.js';
import { ApiError } from './problem.js';

/** A response begins at most this many milliseconds after the headers of its request. */
const requestTimeoutMs = 10_000;

const retryAfterSeconds = 5;

/** Says whether the body is complete, and whether it is being read. */
type BodyState = Pick<IncomingMessage, 'complete' | 'readableFlowing'>;

/**
 * The timeout of one request. Work that sees `aborted` stops. The client finds what was already
 * committed under its Idempotency-Key.
 */
export class Deadline implements AbortState {
  readonly #request: BodyState;
  readonly #startedAt = performance.now();
  #limitMs: number;
  #timer: NodeJS.Timeout | undefined;
  #lastLook: NodeJS.Immediate | undefined;
  #aborted = false;
  #reject: ((error: ApiError) => void) | undefined;

  constructor(request: BodyState, limitMs = requestTimeoutMs) {
    this.#request = request;
    this.#limitMs = limitMs;
  }

  /** True once the request has timed out. */
  get aborted(): boolean {
    return this.#aborted;
  }

  /** Raises the timeout to `limitMs`, counted from the headers of the request. */
  extend(limitMs: number): void {
    this.#limitMs = Math.max(this.#limitMs, limitMs);
    if (this.#reject) this.#arm();
  }

  /**
   * Settles as `work` does, unless the timeout comes first.
   * @throws ApiError request_timeout when the body is incomplete, else service_unavailable
   */
  async enforce(work: Promise<unknown>): Promise<void> {
    const timeout = new Promise<never>((_, reject) => (this.#reject = reject));
    this.#arm();
    try {
      await Promise.race([work, timeout]);
    } finally {
      this.#disarm();
      this.#reject = undefined;
    }
  }

  /**
   * A process that stood still runs its timers before it reads its sockets, where PostgreSQL may
   * have answered already. So the sockets are read once more: what was committed is not refused.
   */
  #arm(): void {
    this.#disarm();
    const remainingMs = this.#limitMs - (performance.now() - this.#startedAt);
    this.#timer = setTimeout(() => {
      this.#lastLook = setImmediate(() => this.#expire());
    }, remainingMs);
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#lastLook);
  }

  #expire(): void {
    this.#aborted = true;
    const { readableFlowing, complete } = this.#request;
    // An open connection would read the rest of the body as the next request.
    const close = complete ? {} : { Connection: 'close' };
    this.#reject?.(readableFlowing && !complete ? bodyTimedOut() : processingTimedOut(close));
  }
}

function bodyTimedOut(): ApiError {
  return new ApiError('request_timeout', 'The request did not arrive in time.');
}

function processingTimedOut(headers: Readonly<Record<string, string>>): ApiError {
  const detail = 'The service timed out. Retry later.';
  return new ApiError('service_unavailable', detail, { retryAfterSeconds, headers });
}
