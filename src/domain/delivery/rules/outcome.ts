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
  /** The connect timeout ended before a connection was up. */
  | 'connect_timeout'
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
export interface Attempt {
  readonly outcome: Outcome;
  readonly durationMs: number;
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
