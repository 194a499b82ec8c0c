import type { IncomingMessage } from 'node:http';
import type { Aborting } from '../domain/tx.js';
import { Refused } from './problem.js';

/** Every answer begins within this time of the headers of its request, in milliseconds. */
const answerWithinMs = 10_000;

const retrySeconds = '5';

/** What tells whether a body has arrived, and whether it is being read. */
type Arriving = Pick<IncomingMessage, 'complete' | 'readableFlowing'>;

/**
 * The time limit of one request, whatever hangs. Work that sees it aborted gives up; what was
 * committed before is found again under the Idempotency-Key.
 */
export class Deadline implements Aborting {
  readonly #request: Arriving;
  readonly #beganAt = performance.now();
  #limitMs: number;
  #timer: NodeJS.Timeout | undefined;
  #aborted = false;
  #refuse: ((refusal: Refused) => void) | undefined;

  constructor(request: Arriving, limitMs = answerWithinMs) {
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
    if (this.#refuse) this.#arm();
  }

  /**
   * Settles as `work` does, in time.
   * @throws Refused request_timeout when the body has not arrived, else service_unavailable
   */
  async bound(work: Promise<unknown>): Promise<void> {
    const late = new Promise<never>((_, reject) => (this.#refuse = reject));
    this.#arm();
    try {
      await Promise.race([work, late]);
    } finally {
      clearTimeout(this.#timer);
      this.#refuse = undefined;
    }
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const left = this.#limitMs - (performance.now() - this.#beganAt);
    this.#timer = setTimeout(() => this.#end(), left);
  }

  #end(): void {
    this.#aborted = true;
    const { readableFlowing, complete } = this.#request;
    // The rest of a body would be read as the next request.
    const close = complete ? {} : { Connection: 'close' };
    this.#refuse?.(readableFlowing && !complete ? tooSlow() : notInTime(close));
  }
}

function tooSlow(): Refused {
  return new Refused('request_timeout', 'The request did not arrive in time.');
}

function notInTime(close: Readonly<Record<string, string>>): Refused {
  const headers = { 'Retry-After': retrySeconds, ...close };
  return new Refused('service_unavailable', 'The service timed out. Retry later.', { headers });
}
