import type { IncomingMessage } from 'node:http';
import type { AbortState } from '../domain/tx.js';
import { ApiError } from './problem.js';

/** Every answer begins within this time of the headers of its request, in milliseconds. */
const requestTimeoutMs = 10_000;

const retrySeconds = '5';

/** What tells whether a body has arrived, and whether it is being read. */
type BodyState = Pick<IncomingMessage, 'complete' | 'readableFlowing'>;

/**
 * The time limit of one request, whatever hangs. Work that sees it aborted gives up; what was
 * committed before is found again under the Idempotency-Key.
 */
export class Deadline implements AbortState {
  readonly #request: BodyState;
  readonly #startedAt = performance.now();
  #limitMs: number;
  #timer: NodeJS.Timeout | undefined;
  #aborted = false;
  #reject: ((error: ApiError) => void) | undefined;

  constructor(request: BodyState, limitMs = requestTimeoutMs) {
    this.#request = request;
    this.#limitMs = limitMs;
  }

  /** True once the request was refused for having taken too long. */
  get aborted(): boolean {
    return this.#aborted;
  }

  /** Lets the request take up to `limitMs`, counted from its headers. */
  extend(limitMs: number): void {
    this.#limitMs = Math.max(this.#limitMs, limitMs);
    if (this.#reject) this.#arm();
  }

  /**
   * Settles as `work` does, in time.
   * @throws Refused request_timeout when the body has not arrived, else service_unavailable
   */
  async enforce(work: Promise<unknown>): Promise<void> {
    const timeout = new Promise<never>((_, reject) => (this.#reject = reject));
    this.#arm();
    try {
      await Promise.race([work, timeout]);
    } finally {
      clearTimeout(this.#timer);
      this.#reject = undefined;
    }
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const remainingMs = this.#limitMs - (performance.now() - this.#startedAt);
    this.#timer = setTimeout(() => this.#expire(), remainingMs);
  }

  #expire(): void {
    this.#aborted = true;
    const { readableFlowing, complete } = this.#request;
    // The rest of a body would be read as the next request.
    const close = complete ? {} : { Connection: 'close' };
    this.#reject?.(readableFlowing && !complete ? bodyTimedOut() : processingTimedOut(close));
  }
}

function bodyTimedOut(): ApiError {
  return new ApiError('request_timeout', 'The request did not arrive in time.');
}

function processingTimedOut(close: Readonly<Record<string, string>>): ApiError {
  const headers = { 'Retry-After': retrySeconds, ...close };
  return new ApiError('service_unavailable', 'The service timed out. Retry later.', { headers });
}
