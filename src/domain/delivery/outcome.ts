/**
 * The outcome of one attempt at the receiver. Remote failures are values of this type, never
 * exceptions. An exception means an internal error.
 */
export type Outcome =
  /** A 2xx arrived. The body does not matter. */
  | { readonly kind: 'accepted'; readonly status: number }
  /** Another final status arrived. `retryAfter` is set only for 429 and 503. */
  | { readonly kind: 'rejected'; readonly status: number; readonly retryAfter?: RetryAfter }
  /** No final status line arrived. */
  | { readonly kind: 'unreachable'; readonly reason: UnreachableReason }
  /** The egress policy or the SSRF guard blocked the request. Nothing was sent. */
  | { readonly kind: 'refused'; readonly reason: RefusedReason };

/** A valid `Retry-After` header (RFC 9110 §10.2.3), as a delay from the response. */
export interface RetryAfter {
  /** At least 0. For an HTTP date: its distance from the sender's clock. */
  readonly delayMs: number;
}

/** Why no status arrived: the code that operators see with a delivery. */
export type UnreachableReason =
  | 'dns_failure'
  | 'connection_refused'
  | 'connection_reset'
  | 'host_unreachable'
  /** The proxy of the service answered, and opened no connection to the receiver. */
  | 'proxy_connect_failed'
  /** The timeout ended before the receiver accepted a connection. */
  | 'connect_timeout'
  /** The receiver accepted the connection, but the timeout ended before the TLS handshake did. */
  | 'tls_timeout'
  | 'tls_failure'
  | 'tls_certificate_expired'
  | 'tls_certificate_not_yet_valid'
  | 'tls_certificate_untrusted'
  | 'tls_certificate_wrong_host'
  /** The connection was up, but no final status arrived in time. */
  | 'timeout'
  | 'protocol_error'
  | 'other';

/** Why no connection was attempted. */
export type RefusedReason = 'blocked_destination' | 'invalid_target';

/** An outcome and how long it took, from before the connect; whole milliseconds. */
export interface PostResult {
  readonly outcome: Outcome;
  readonly durationMs: number;
  /** What evidence of the attempt is made of; undefined if none was asked for. */
  readonly trace?: AttemptTrace;
}

/** How far an attempt came. */
export type AttemptPhase = 'wait' | 'lookup' | 'connect' | 'tls' | 'response' | 'body' | 'end';

/** What the sender saw of an attempt: at most 16 KiB of headers and 4 KiB of the body. */
export interface AttemptTrace {
  /** The phase in which it ended. */
  readonly phase: AttemptPhase;
  readonly timings: AttemptTimings;
  /**
   * How long the request took to be written, a part of `firstByteMs`. Null when that did not end, or when
   * successes are not traced.
   */
  readonly sendMs: number | null;
  /** The IP address of the last connection attempt; null without one. */
  readonly address: string | null;
  /** Such as `TLSv1.3`; null before the handshake has ended. */
  readonly tlsVersion: string | null;
  /** A code of the error, such as `ECONNREFUSED`, or a sentence of ours about the response. */
  readonly detail: string | null;
  /** Whether the headers arrived, and the end of the body did not arrive in time. */
  readonly bodyLeftOpen: boolean;
  /** Null without a final response, or when responses are not kept. */
  readonly response: TracedResponse | null;
}

/**
 * The length of each phase in whole milliseconds; null for one that did not end. A kept-alive
 * connection has neither look-up, connect nor TLS.
 */
export interface AttemptTimings {
  readonly lookupMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** From the request to the first byte of the response. */
  readonly firstByteMs: number | null;
  /** From the start of the attempt to its end, with the body. */
  readonly totalMs: number | null;
}

/** The response to an attempt, as its receiver sent it. */
interface TracedResponse {
  /** Status line and field lines, as Latin-1. */
  readonly head: string;
  readonly body: Buffer;
  /** Whether the body had more bytes. */
  readonly truncated: boolean;
}

/**
 * Returns the short code of a failed attempt (`status_503`, `timeout`, …); null when it succeeded.
 */
export function failureReason(outcome: Outcome): string | null {
  switch (outcome.kind) {
    case 'accepted':
      return null;
    case 'rejected':
      return `status_${outcome.status}`;
    case 'unreachable':
    case 'refused':
      return outcome.reason;
  }
}

/** Whether a response arrived, of any status. */
export function isResponse({ kind }: Outcome): boolean {
  return kind === 'accepted' || kind === 'rejected';
}
