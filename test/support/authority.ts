import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type X509Certificate,
} from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const hourMs = 3_600_000;

/** Certificate and private key of a server, in PEM. */
interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** Host names and IP addresses. Defaults to localhost, *.receiver.test and the loopback addresses. */
  readonly names?: readonly string[];
  readonly expired?: boolean;
  readonly notYetValid?: boolean;
  /** How long the certificate is valid from now. It counts in whole seconds. Defaults to 24 h. */
  readonly validMs?: number;
  readonly selfSigned?: boolean;
}

/** The certificate authority of this test run; no other program trusts it. */
export interface TestAuthority {
  /** The PEM file for WEBHOOKS_CA_FILE. */
  readonly caFile: string;
  issue(requestedCertificate?: CertificateOptions): Promise<TestCertificate>;
}

let authority: Promise<TestAuthority> | undefined;

/** Returns the authority that all receivers of this test run share. */
export function testAuthority(): Promise<TestAuthority> {
  return (authority ??= makeAuthority());
}

async function makeAuthority(): Promise<TestAuthority> {
  const keys = await makeKeys();
  const ca = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Test receivers',
    keys,
    signingAlgorithm: algorithm,
    ...validity({}),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
    ],
  });

  const folder = mkdtempSync(join(tmpdir(), 'signalpost-ca-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, ca.toString('pem'));

  return {
    caFile,
    issue: (requestedCertificate = {}) => issue(ca, keys.privateKey, requestedCertificate),
  };
}

async function issue(
  ca: X509Certificate,
  caKey: webcrypto.CryptoKey,
  requestedCertificate: CertificateOptions,
): Promise<TestCertificate> {
  const keys = await makeKeys();
  const names = requestedCertificate.names ?? ['localhost', '*.receiver.test', '127.0.0.1', '::1'];
  const subject = 'CN=Test receiver';
  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer: requestedCertificate.selfSigned ? subject : ca.subject,
    publicKey: keys.publicKey,
    signingKey: requestedCertificate.selfSigned ? keys.privateKey : caKey,
    signingAlgorithm: algorithm,
    ...validity(requestedCertificate),
    extensions: [
      new SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
    ],
  });

  const der = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  const base64 = Buffer.from(der).toString('base64');
  const key = `-----BEGIN PRIVATE KEY-----\n${base64}\n-----END PRIVATE KEY-----\n`;
  return { cert: certificate.toString('pem'), key };
}

function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

function validity(requestedCertificate: CertificateOptions): { notBefore: Date; notAfter: Date } {
  const notBefore = requestedCertificate.notYetValid ? hourMs : -24 * hourMs;
  const notAfter = requestedCertificate.expired
    ? -hourMs
    : (requestedCertificate.validMs ?? 24 * hourMs);
  return { notBefore: inMs(notBefore), notAfter: inMs(notAfter) };
}

function inMs(delayMs: number): Date {
  return new Date(Date.now() + delayMs);
}
