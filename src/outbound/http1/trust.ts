import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Whom deliveries trust, shared by all connections because building it costs a millisecond each:
 * Node's own certificate authorities (with NODE_EXTRA_CA_CERTS) or, with `caFile`, those that come
 * with Node and the ones of the file. TLS 1.2 at least.
 * @throws Error when `caFile` cannot be read or holds no certificate
 */
export function trustedContext(caFile: string | undefined): SecureContext {
  const minVersion = 'TLSv1.2';
  if (caFile === undefined) return createSecureContext({ minVersion });
  return createSecureContext({ minVersion, ca: [...rootCertificates, ...certificatesOf(caFile)] });
}

function certificatesOf(caFile: string): string[] {
  const certificates = readFileSync(caFile, 'utf8').match(pemCertificate) ?? [];
  if (certificates.length === 0) throw new Error(`${caFile} holds no PEM certificate`);
  for (const certificate of certificates) new X509Certificate(certificate);
  return certificates;
}
