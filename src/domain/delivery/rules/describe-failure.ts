import type { AttemptPhase, RefusedReason, UnreachableReason } from './outcome.js';

/** The facts of an attempt from which a failure is described. */
export interface Failure {
  /** The code of the record, such as `status_503` or `timeout`. */
  readonly reason: string;
  readonly responseStatus: number | null;
  readonly phase: AttemptPhase | null;
  /** The address of the last connection attempt. */
  readonly address: string | null;
  /** A code of the error, or a sentence about the response. */
  readonly detail: string | null;
}

const sentences: Readonly<Record<UnreachableReason | RefusedReason, string>> = {
  dns_failure: 'The host name has no address, or its name servers did not answer.',
  connection_refused: 'The receiver refused the connection.',
  connection_reset: 'The receiver closed the connection before it sent a complete response head.',
  host_unreachable: 'The network has no route to the receiver.',
  connect_timeout: 'No connection was up in time.',
  tls_timeout: 'The TLS handshake did not end in time.',
  tls_failure: 'The TLS handshake failed.',
  tls_certificate_expired: 'The certificate of the receiver, or of its issuer, has expired.',
  tls_certificate_not_yet_valid: 'The certificate of the receiver is not valid yet.',
  tls_certificate_untrusted: 'No trusted authority vouches for the certificate of the receiver.',
  tls_certificate_wrong_host: 'The certificate of the receiver is for another host name.',
  timeout: 'The receiver sent no complete response head in time.',
  protocol_error: 'The receiver did not send a valid HTTP/1.1 response.',
  other: 'The connection failed.',
  blocked_destination: 'The service may not connect to an address of this host. Nothing was sent.',
  invalid_target: 'The URL cannot be used. Nothing was sent.',
};

const connectTimeouts: Readonly<Partial<Record<AttemptPhase, string>>> = {
  wait: 'All connections to the receiver were in use until the timeout.',
  lookup: 'The name servers did not answer in time.',
  connect: 'The receiver did not accept the connection in time.',
  // Records of 2.0.0 have no `tls_timeout`.
  tls: 'The TLS handshake did not end in time.',
};

/** Sentences for a code of the error, where it says more than the reason. */
const byDetail: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The receiver sent no intermediate certificate, or a private authority issued its certificate. ' +
    'Let the receiver send its certificate together with the intermediate ones.',
};

/** Says in words why an attempt failed, with address and detail where they help. */
export function describeFailure(failure: Failure): string {
  const { reason, responseStatus, phase, address, detail } = failure;
  if (responseStatus !== null) return describeStatus(responseStatus);
  const late = reason === 'connect_timeout' && phase ? connectTimeouts[phase] : undefined;
  const sentence =
    late ??
    byDetail[detail ?? ''] ??
    (sentences as Readonly<Record<string, string>>)[reason] ??
    reason;
  return withFacts(sentence, [address && `address ${address}`, detail]);
}

/**
 * Says in words what was wrong with the response of a success: its body was left open, say.
 * @returns null when the response was complete
 */
export function describeIncompleteBody({
  phase,
  detail,
}: Pick<Failure, 'phase' | 'detail'>): string | null {
  if (phase !== 'body') return null;
  return withFacts('The receiver accepted the event, but its response is incomplete.', [detail]);
}

function withFacts(sentence: string, known: readonly (string | null)[]): string {
  const facts = known.filter(Boolean).map((fact) => fact?.replace(/\.$/, ''));
  return facts.length === 0 ? sentence : `${sentence} (${facts.join('; ')})`;
}

function describeStatus(status: number): string {
  const response = `The receiver responded with status ${status}.`;
  if (status === 410) return `${response} No attempt follows, and the endpoint is disabled.`;
  if (status >= 300 && status < 400 && status !== 304)
    return `${response} Redirects are not followed: change the URL of the endpoint.`;
  return response;
}
