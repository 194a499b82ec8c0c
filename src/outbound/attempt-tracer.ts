import type {
  AttemptPhase,
  AttemptTimings,
  AttemptTrace,
  Outcome,
} from '../domain/delivery/outcome.js';
import type { Opening } from './ssrf-guard.js';
import type { Connection } from './connection.js';
import { type ContentSink, ContentStart, MalformedResponse } from './response-parser.js';

/** What is traced. */
export interface TraceOptions {
  /** Whether accepted attempts are traced, too. */
  readonly successes: boolean;
  /** Whether a trace contains headers and body of the response. */
  readonly responses: boolean;
}

/** How many bytes of a body a trace keeps. */
const keptBodyBytes = 4_096;
const errorCode = /^[A-Z][A-Z0-9_]{1,79}$/;

/**
 * Traces one attempt. A success that is not traced costs only readings of the clock and a copy of the
 * first bytes of its body, in case the receiver leaves the body open.
 */
export class AttemptTracer {
  readonly #options: TraceOptions;
  readonly #startedAt: number;
  #connection: Connection | undefined;
  /** How an earlier attempt opened the connection. */
  #earlier: Opening | undefined;
  #sentAt: number | undefined;
  #writtenAt: number | undefined;
  #firstByteAt: number | undefined;
  #head: string | undefined;
  #content: ContentStart | undefined;
  #complete = false;
  #bodyLeftOpen = false;
  #detail: string | null = null;

  /** @param startedAt milliseconds of `performance.now()` */
  constructor(options: TraceOptions, startedAt: number) {
    this.#options = options;
    this.#startedAt = startedAt;
  }

  /** The attempt has got a connection and has not used it yet. */
  acquired(connection: Connection): void {
    this.#connection = connection;
    this.#earlier = connection.opening;
  }

  sent(): void {
    this.#sentAt = performance.now();
  }

  written(): void {
    this.#writtenAt = performance.now();
  }

  firstByte(): void {
    this.#firstByteAt = performance.now();
  }

  /** @param text the final response head */
  head(text: string): ContentSink | undefined {
    if (!this.#options.responses) return undefined;
    this.#head = text;
    const content = new ContentStart(keptBodyBytes);
    this.#content = content;
    return (bytes) => content.add(bytes);
  }

  /** The response is complete. */
  completed(): void {
    this.#complete = true;
  }

  /** The time for the body is over, and the body is not complete. */
  bodyLeftOpen(): void {
    this.#bodyLeftOpen = true;
    this.#detail = 'The receiver left the body open.';
  }

  failed(error: Error): void {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (error instanceof MalformedResponse) this.#detail = error.message;
    else if (errorCode.test(code)) this.#detail = code;
  }

  /**
   * @returns undefined for an attempt that is not traced. A refused one never is: the duration and the
   * result of its look-up could reveal an internal network.
   */
  end({ kind }: Outcome, hasStatus: boolean): AttemptTrace | undefined {
    if (kind === 'refused') return undefined;
    if (kind === 'accepted' && !this.#options.successes && !this.#bodyLeftOpen) return undefined;

    const opening = this.#connection?.opening;
    return {
      phase: this.#phase(opening, hasStatus),
      timings: this.#timings(opening),
      sendMs: between(this.#sentAt, this.#writtenAt),
      address: opening?.address ?? null,
      tlsVersion: opening?.tlsVersion ?? null,
      detail: this.#detail,
      bodyLeftOpen: this.#bodyLeftOpen,
      response:
        this.#head === undefined || !this.#content
          ? null
          : { head: this.#head, body: this.#content.bytes, truncated: this.#content.truncated },
    };
  }

  #phase(opening: Opening | undefined, hasStatus: boolean): AttemptPhase {
    if (this.#complete) return 'end';
    if (hasStatus) return 'body';
    if (this.#sentAt !== undefined) return 'response';
    if (!opening || opening === this.#earlier) return 'wait';
    if (opening.connectedAt !== undefined) return 'tls';
    // A proxy may resolve the name, so that there is no address.
    return opening.address === undefined && !opening.proxyFault ? 'lookup' : 'connect';
  }

  #timings(opening: Opening | undefined): AttemptTimings {
    const { startedAt, lookedUpAt, connectedAt, securedAt }: Partial<Opening> =
      opening === undefined || opening === this.#earlier ? {} : opening;
    return {
      lookupMs: between(startedAt, lookedUpAt),
      connectMs: between(lookedUpAt ?? startedAt, connectedAt),
      tlsMs: between(connectedAt, securedAt),
      firstByteMs: between(this.#sentAt, this.#firstByteAt),
      totalMs: between(this.#startedAt, performance.now()),
    };
  }
}

function between(from: number | undefined, to: number | undefined): number | null {
  return from === undefined || to === undefined ? null : Math.round(to - from);
}
