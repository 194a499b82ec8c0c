import 'reflect-metadata';
import { createPrivateKey, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import { join } from 'node:path';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import {
  authorityFile,
  authorityKeyFile,
  ensureDataDir,
  existingReceiverAuthority,
  readIfPresent,
  writePrivateFile,
} from './data-dir.js';
import { awaitLock, defaultWait } from './file-lock.js';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 86_400_000;

/** A certificate and its private key in PEM, for `tls.createServer`. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Creates the certificate authority for receivers on this machine, if it is missing. Only the service
 * of `dataDir` trusts it. Its key stays in `dataDir`, where only its owner can read it.
 * @returns the path of its certificate
 */
export async function ensureReceiverAuthority(dataDir: string): Promise<string> {
  // A receiver and the service may start at the same time.
  const lock = await awaitLock(join(ensureDataDir(dataDir), 'receiver-ca.lock'), {
    ...defaultWait,
    signal: AbortSignal.timeout(30_000),
  });
  try {
    if (existingReceiverAuthority(dataDir) === undefined) await makeAuthority(dataDir);
  } finally {
    lock.release();
  }
  return authorityFile(dataDir);
}

async function makeAuthority(dataDir: string): Promise<void> {
  const keys = await makeKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Signalpost local receivers',
    keys,
    signingAlgorithm: algorithm,
    ...validFor(3_650),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });

  writePrivateFile(authorityKeyFile(dataDir), await toPem(keys.privateKey));
  writePrivateFile(authorityFile(dataDir), `${certificate.toString('pem')}\n`);
}

/**
 * Issues a certificate for a receiver on this machine, signed by the authority of `dataDir`.
 * @param names the host names and IP addresses for which it is valid
 */
export async function issueServerCertificate(
  dataDir: string,
  names: readonly string[] = ['localhost', '127.0.0.1', '::1'],
): Promise<ServerCertificate> {
  const authority = new X509Certificate(
    readIfPresent(await ensureReceiverAuthority(dataDir)) ?? '',
  );
  const keys = await makeKeys();
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${names[0] ?? 'localhost'}`,
    issuer: authority.subject,
    publicKey: keys.publicKey,
    signingKey: await importKey(readIfPresent(authorityKeyFile(dataDir)) ?? ''),
    signingAlgorithm: algorithm,
    // Some clients refuse server certificates that are valid for more than 398 days.
    ...validFor(365),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(authority),
    ],
  });
  return { cert: `${certificate.toString('pem')}\n`, key: await toPem(keys.privateKey) };
}

function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

function validFor(days: number): { notBefore: Date; notAfter: Date } {
  // Valid since an hour ago, for clients whose clock is behind.
  return {
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + days * dayMs),
  };
}

async function toPem(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  const pem = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({
    format: 'pem',
    type: 'pkcs8',
  });
  return pem.toString();
}

function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const der = createPrivateKey(pem).export({ format: 'der', type: 'pkcs8' });
  return webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
}
