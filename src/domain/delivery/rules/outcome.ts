/**
 * What one attempt ended with, as far as the receiver is concerned. Remote failures are values of
 * this type, never exceptions: an exception means a fault of ours.
 */
export type Outcome =
  /** A 2xx arrived; nothing after the header matters (H64). */
  | { readonly kind: 'accepted'; readonly status: number }
  /** Any other final status arrived; `retryAfter` is the header as sent, on 429 and 503 only (H63). */
  | { readonly kind: 'rejected'; readonly status: number; readonly retryAfter?: RetryAfter }
  /** No final status line arrived. */
  | { readonly kind: 'unreachable'; readonly reason: UnreachableReason }
  /** Our own guard forbade the target; nothing was sent. */
  | { readonly kind: 'refused'; readonly reason: RefusedReason };

/** A `Retry-After` that could be read (RFC 9110 §10.2.3), as a delay counted from the answer. */
export interface RetryAfter {
  /** At least 0; an HTTP date is taken as its distance from the sender's clock. */
  readonly delayMs: number;
}

/** Why no status arrived: the code that operators see beside a delivery. */
export type UnreachableReason =
  | 'dns_failure'
  | 'connection_refused'
  | 'connection_reset'
  | 'host_unreachable'
  /** No connection was up when the time was over. */
  | 'connect_timeout'
  | 'tls_failure'
  | 'tls_certificate_expired'
  | 'tls_certificate_not_yet_valid'
  | 'tls_certificate_untrusted'
  | 'tls_certificate_wrong_host'
  /** The connection was up, and no final status arrived in time. */
  | 'timeout'
  | 'protocol_error'
  | 'other';

/** Why the target was not dialled. */
export type RefusedReason = 'blocked_destination' | 'invalid_target';

/** An outcome and how long it took to be known, from before the connect; whole milliseconds. */
export interface Attempt {
  readonly outcome: Outcome;
  readonly durationMs: number;
}

/** The short code of a failed attempt (`status_503`, `timeout`, …); null when it succeeded. */
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

/** Whether the receiver said something, whatever it was. */
export function isResponse({ kind }: Outcome): boolean {
  return kind === 'accepted' || kind === 'rejected';
}
