import type { Outcome, UnreachableReason } from '../domain/delivery/outcome.js';
import { MalformedResponse } from './http1/malformed-response.js';
import { BlockedDestination } from './ssrf/ssrf-guard.js';

const reasons: Readonly<Record<string, UnreachableReason>> = {
  ERR_NAME_UNRESOLVED: 'dns_failure',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  EHOSTUNREACH: 'host_unreachable',
  ENETUNREACH: 'host_unreachable',
  EADDRNOTAVAIL: 'host_unreachable',
  ETIMEDOUT: 'connect_timeout',
  EPROTO: 'tls_failure',
  CERT_HAS_EXPIRED: 'tls_certificate_expired',
  CERT_NOT_YET_VALID: 'tls_certificate_not_yet_valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_certificate_wrong_host',
  HOSTNAME_MISMATCH: 'tls_certificate_wrong_host',
};

/** Families of OpenSSL codes: first certificate errors, then handshake errors. */
const families: readonly (readonly [RegExp, UnreachableReason])[] = [
  [
    /^(CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_|PATH_LENGTH_)/,
    'tls_certificate_untrusted',
  ],
  [/^ERR_(SSL|TLS)_/, 'tls_failure'],
];

/** Maps a connection error to an outcome. Unknown errors have the reason `other`. */
export function outcomeOfError(error: Error): Outcome {
  if (error instanceof BlockedDestination)
    return { kind: 'refused', reason: 'blocked_destination' };
  return { kind: 'unreachable', reason: reasonOf(error) };
}

function reasonOf(error: Error): UnreachableReason {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (error instanceof MalformedResponse) return 'protocol_error';
  return reasons[code] ?? families.find(([shape]) => shape.test(code))?.[1] ?? 'other';
}
