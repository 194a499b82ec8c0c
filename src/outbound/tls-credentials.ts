// What TLS connections to receivers trust and show: certificate authorities, and a client certificate (mTLS).
//
// The files of the client certificate are read again every ten seconds and compared by their bytes: Kubernetes replaces
// them behind a symbolic link, which inotify does not report. A pair that cannot be used, as between the two writes of
// a renewal, is reported once, and the pair in use stays. A new pair is a new context, with which sessions and
// connections of the old one end.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { promises as files, readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/** The PEM files of a client certificate. */
export interface ClientCertificateFiles {
  /** The certificate, followed by its intermediate ones. */
  readonly certFile: string;
  /** Its private key, without a passphrase. */
  readonly keyFile: string;
}

/** A client certificate that is read again when its files change. */
export interface ClientCertificateOptions extends ClientCertificateFiles {
  /** How often the files are read, in milliseconds. Defaults to 10,000. */
  readonly checkEveryMs?: number | undefined;
  /** Called when another certificate takes effect. */
  readonly onReplaced?: ((certificate: X509Certificate) => void) | undefined;
  /** Called once for each pair of files that cannot be used. */
  readonly onUnusable?: ((error: Error) => void) | undefined;
}

export interface TlsCredentialsOptions {
  /** PEM file of additional certificate authorities. */
  readonly caFile?: string | undefined;
  /** Defaults to no client certificate. */
  readonly client?: ClientCertificateOptions | undefined;
}

interface Pair {
  readonly cert: string;
  readonly key: string;
}

const defaultCheckEveryMs = 10_000;

/** The certificates of a webhook client. */
export class TlsCredentials {
  readonly #authorities: readonly string[] | undefined;
  #context: SecureContext;
  /** The bytes of both files. */
  #inUse = '';
  /** What was last reported as unusable: the bytes of both files, or why they cannot be read. */
  #reported: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @throws Error that names the setting whose file cannot be used */
  constructor({ caFile, client }: TlsCredentialsOptions) {
    this.#authorities = authoritiesOf(caFile);
    if (!client) {
      this.#context = createContext(this.#authorities);
      return;
    }

    const pair = readPair(client);
    checkPair(pair);
    this.#context = createContext(this.#authorities, pair);
    this.#inUse = pair.cert + pair.key;
    this.#scheduleCheck(client);
  }

  /** The context of new connections. Another object after the client certificate was replaced. */
  get context(): SecureContext {
    return this.#context;
  }

  /** Ends the checks of the files. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #scheduleCheck(client: ClientCertificateOptions): void {
    if (this.#isClosed) return;
    const { checkEveryMs = defaultCheckEveryMs } = client;
    this.#timer = setTimeout(() => {
      void this.#check(client).finally(() => this.#scheduleCheck(client));
    }, checkEveryMs).unref();
  }

  async #check({ certFile, keyFile, onReplaced, onUnusable }: ClientCertificateOptions) {
    let bytes: string | undefined;
    try {
      const cert = await readAgain('WEBHOOKS_CLIENT_CERT_FILE', certFile);
      const key = await readAgain('WEBHOOKS_CLIENT_KEY_FILE', keyFile);
      bytes = cert + key;

      if (bytes === this.#inUse) this.#reported = undefined;
      if (bytes === this.#inUse || bytes === this.#reported || this.#isClosed) return;

      const certificate = checkPair({ cert, key });
      this.#context = createContext(this.#authorities, { cert, key });
      this.#inUse = bytes;
      this.#reported = undefined;
      onReplaced?.(certificate);
    } catch (error) {
      const { message } = error as Error;
      if (this.#isClosed || this.#reported === (bytes ?? message)) return;
      this.#reported = bytes ?? message;
      onUnusable?.(error as Error);
    }
  }
}

/** Reads and checks a client certificate. @throws Error that names the setting */
export function readClientCertificate(paths: ClientCertificateFiles): X509Certificate {
  return checkPair(readPair(paths));
}

function unreadable(setting: string, error: unknown): Error {
  return new Error(
    `${setting}: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`,
  );
}

function readPair({ certFile, keyFile }: ClientCertificateFiles): Pair {
  return {
    cert: readNow('WEBHOOKS_CLIENT_CERT_FILE', certFile),
    key: readNow('WEBHOOKS_CLIENT_KEY_FILE', keyFile),
  };
}

function readNow(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadable(setting, error);
  }
}

async function readAgain(setting: string, path: string): Promise<string> {
  try {
    return await files.readFile(path, 'utf8');
  } catch (error) {
    throw unreadable(setting, error);
  }
}

/** @throws Error that names the setting */
function checkPair({ cert, key }: Pair): X509Certificate {
  const [first] = cert.match(pemCertificate) ?? [];
  const certificate = parsed('WEBHOOKS_CLIENT_CERT_FILE: has no PEM certificate', () => {
    return new X509Certificate(first ?? '');
  });
  const privateKey = parsed(
    'WEBHOOKS_CLIENT_KEY_FILE: has no PEM private key, or one with a passphrase',
    () => createPrivateKey(key),
  );
  if (certificate.checkPrivateKey(privateKey)) return certificate;
  throw new Error('WEBHOOKS_CLIENT_KEY_FILE: is not the key of WEBHOOKS_CLIENT_CERT_FILE');
}

/** Errors of OpenSSL tell operators less than the name of the setting, and may quote the file. */
function parsed<Value>(message: string, parse: () => Value): Value {
  try {
    return parse();
  } catch {
    throw new Error(message);
  }
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Creates a context for TLS 1.2 or later. All connections share it, because building it takes a millisecond. */
function createContext(authorities: readonly string[] | undefined, pair?: Pair): SecureContext {
  return createSecureContext({
    minVersion: 'TLSv1.2',
    ...(authorities && { ca: [...authorities] }),
    ...pair,
  });
}

/**
 * Returns the certificate authorities to trust: those bundled with Node and those of `caFile`; undefined for the
 * default of Node, which includes NODE_EXTRA_CA_CERTS.
 * @throws Error if `caFile` cannot be read or contains no certificate
 */
function authoritiesOf(caFile: string | undefined): string[] | undefined {
  if (caFile === undefined) return undefined;
  const certificates = readNow('WEBHOOKS_CA_FILE', caFile).match(pemCertificate) ?? [];
  if (certificates.length === 0) throw new Error('WEBHOOKS_CA_FILE: contains no PEM certificate');
  for (const certificate of certificates) {
    parsed('WEBHOOKS_CA_FILE: contains a certificate that cannot be read', () => {
      return new X509Certificate(certificate);
    });
  }
  return [...rootCertificates, ...certificates];
}
