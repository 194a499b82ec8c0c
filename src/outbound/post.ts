// The HTTP client for webhooks: POSTs finished bytes to receivers, which may be hostile. A call makes one
// `Exchange`, over a `Connection` of the pool, which `ssrf-guard.ts` opens.
//
// - It connects only to addresses that the egress policy permits, and verifies certificates always.
// - Whatever a receiver does is an outcome and bounded in time and memory; nothing a receiver sends
//   throws. Status line and headers decide the outcome.
// - Accounts share no connection.
//
// Nothing is stored: after a crash the delivery is sent again, since its claim expires.
import { createEgressPolicy } from '../domain/endpoint/egress-policy.js';
import type { PrivateTargets } from '../domain/values/private-targets.js';
import type { PostResult } from '../domain/delivery/outcome.js';
import { createTargetParser, ssrfGuardedConnect } from './ssrf-guard.js';
import type { TraceOptions } from './attempt-tracer.js';
import { ConnectionPool } from './connection.js';
import { Exchange, type PreparedRequest, type SendGate } from './exchange.js';
import { machineNames, type NameResolver } from './resolve.js';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/** Options of a webhook client. */
export interface WebhookClientOptions {
  /** One timeout covers connect, TLS, headers and body. In milliseconds. */
  readonly timeoutMs: number;
  readonly allowPrivateTargets: PrivateTargets;
  /** PEM file of additional certificate authorities. */
  readonly caFile?: string | undefined;
  /**
   * Connections of one account to one origin at a time. Defaults to 100. Further attempts wait
   * within their timeout, so set it at least to the number of attempts in flight.
   */
  readonly connectionsPerOrigin?: number;
  /** At most this many idle connections are kept. Defaults to 500. */
  readonly idleConnections?: number;
  /** Resolves host names. Defaults to the name servers of the machine. */
  readonly names?: NameResolver;
  /** The clock for the expiry of certificates, in milliseconds since 1970. Defaults to `Date.now`. */
  readonly now?: () => number;
}

/** Options of one request. */
export interface PostOptions {
  /** The sending account: accounts share no connection. Defaults to none. */
  readonly account?: string;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
  /**
   * The current time of the database; dates in a response are relative to it. Defaults to the clock of
   * the process.
   */
  readonly at?: Date;
  /** Which outcomes are traced. Defaults to none. */
  readonly trace?: TraceOptions;
  /** Holds the request, once its connection is open, until it may be sent; pauses the timeout. */
  readonly gate?: SendGate | undefined;
}

/** Sends finished bytes to receivers. All outbound requests of a worker go through it. */
export interface WebhookClient {
  /**
   * POSTs `body` to an https URL. Whatever the receiver does is an outcome, not an error. The status
   * line and complete headers decide: 2xx is accepted, even if the body is slow, incomplete,
   * malformed, or larger than the 64 KiB that are read. Decompresses nothing and follows no redirect.
   * `headers` must not include `host`.
   * @throws the reason of `signal` if it aborts
   * @throws what `gate` throws
   * @throws UnsendableHeaders
   * @throws Error after close
   */
  post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer,
    options?: PostOptions,
  ): Promise<PostResult>;
  /** Resolves when no attempt is in flight and all connections are closed. */
  close(): Promise<void>;
}

/**
 * Creates a webhook client with its own connections. It uses no proxy.
 * @throws Error if `caFile` cannot be used
 */
export function createWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { timeoutMs, allowPrivateTargets } = options;
  const mayConnect = createEgressPolicy(allowPrivateTargets);
  const parseTarget = createTargetParser(mayConnect);
  const connect = ssrfGuardedConnect({
    names: options.names ?? machineNames(allowPrivateTargets.kind !== 'none'),
    mayConnect,
    trust: trustedContext(options.caFile),
    now: options.now,
  });

  const pool = new ConnectionPool(connect, {
    perOrigin: options.connectionsPerOrigin ?? 100,
    idle: options.idleConnections ?? 500,
  });

  let inFlight = 0;
  let closing: (() => void) | undefined;

  const abortersBySignal = new WeakMap<AbortSignal, Set<(error: Error) => void>>();

  /** Returns the functions that abort the requests of `signal`, which share one listener. */
  const abortersOf = (signal: AbortSignal) => {
    const known = abortersBySignal.get(signal);
    if (known) return known;
    const aborters = new Set<(error: Error) => void>();
    abortersBySignal.set(signal, aborters);
    const abortAll = () => aborters.forEach((abort) => abort(reasonOf(signal)));
    signal.addEventListener('abort', abortAll, { once: true });
    return aborters;
  };

  const send = (message: PreparedRequest, signal: AbortSignal | undefined) =>
    new Promise<PostResult>((resolve, reject) => {
      inFlight += 1;
      const abort = (error: Error) => exchange.abort(error);
      const aborters = signal && abortersOf(signal);
      aborters?.add(abort);
      const exchange = new Exchange(message, pool, timeoutMs, (end) => {
        aborters?.delete(abort);
        inFlight -= 1;
        if (inFlight === 0) closing?.();
        if (end instanceof Error) reject(end);
        else resolve(end);
      });
    });

  return {
    post: async (
      url,
      headers,
      body,
      { account = '', signal, at = new Date(), trace, gate } = {},
    ) => {
      if (closing) throw new Error('The webhook client is closed.');

      signal?.throwIfAborted();

      const target = parseTarget(url);
      if ('refused' in target) {
        return { outcome: { kind: 'refused', reason: target.refused }, durationMs: 0 };
      }

      return send(
        {
          origin: target.origin,
          account,
          path: target.path,
          headers,
          body,
          at,
          trace,
          gate,
        },
        signal,
      );
    },
    close: () =>
      new Promise((resolve) => {
        closing = () => {
          pool.closeIdle();
          resolve();
        };
        if (inFlight === 0) closing();
      }),
  };
}

function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Creates the trust store, for TLS 1.2 or later. All connections share it, because building it takes a
 * millisecond. It contains the certificate authorities of Node, including NODE_EXTRA_CA_CERTS; with
 * `caFile`, those bundled with Node and those of the file.
 * @throws Error if `caFile` cannot be read or contains no certificate
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
