import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Creates the trust store of deliveries. All connections share it, because it takes a millisecond
 * to build. It holds Node's certificate authorities, including NODE_EXTRA_CA_CERTS. With `caFile`,
 * it holds Node's bundled ones and those of the file. Requires TLS 1.2 or later.
 * @throws Error when `caFile` cannot be read or holds no certificate
 */
export function trustedContext(caFile: string | undefined): SecureContext {
  const minVersion = 'TLSv1.2';
  if (caFile === undefined) return createSecureContext({ minVersion });
  return createSecureContext({ minVersion, ca: [...rootCertificates, ...certificatesOf(caFile)] });
}

function certificatesOf(caFile: string): string[] {
  const certificates = readFileSync(caFile, 'utf8').match(pemCertificate) ?? [];
  if (certificates.length === 0) throw new Error(`${caFile} contains no PEM certificate`);
  for (const certificate of certificates) new X509Certificate(certificate);
  return certificates;
}
