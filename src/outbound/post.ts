// The HTTP client for webhooks: POSTs finished bytes to receivers, which may be hostile. A call makes one
// `Exchange`, over a `Connection` of the pool, which `ssrf-guard.ts` opens.
//
// - It connects only to addresses that the egress policy permits, and verifies certificates always.
// - Whatever a receiver does is an outcome and bounded in time and memory; nothing a receiver sends
//   throws. Status line and headers decide the outcome.
// - Accounts share no connection.
// - A fault of the proxy is an error and no outcome: the receiver has no part in it.
//
// Nothing is stored: after a crash the delivery is sent again, since its claim expires.
import { createEgressPolicy } from '../domain/endpoint/egress-policy.js';
import type { PrivateTargets } from '../domain/values/private-targets.js';
import type { PostResult } from '../domain/delivery/outcome.js';
import {
  BlockedDestination,
  type Connect,
  createTargetParser,
  destinationOf,
  type Opening,
  ssrfGuardedConnect,
} from './ssrf-guard.js';
import type { TraceOptions } from './attempt-tracer.js';
import { ConnectionPool } from './connection.js';
import { Exchange, type PreparedRequest, type SendGate } from './exchange.js';
import { machineNames, type NameResolver } from './resolve.js';
import { Proxy, type ProxyOptions } from './proxy.js';
import { type ClientCertificateOptions, TlsCredentials } from './tls-credentials.js';

/** Options of a webhook client. */
export interface WebhookClientOptions {
  /** One timeout covers connect, TLS, headers and body. In milliseconds. */
  readonly timeoutMs: number;
  readonly allowPrivateTargets: PrivateTargets;
  /** PEM file of additional certificate authorities, also for an https proxy. */
  readonly caFile?: string | undefined;
  /** The client certificate to show to receivers that ask for one. Defaults to none. */
  readonly clientCertificate?: ClientCertificateOptions | undefined;
  /** Opens all connections. Defaults to none. */
  readonly proxy?: Omit<ProxyOptions, 'trust' | 'timeoutMs'> | undefined;
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
   * @throws ProxyFault if the proxy failed by itself; nothing was sent
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
  /** False while the proxy fails: each request would end with a general ProxyFault. */
  readonly isAvailable: boolean;
  /** Resolves when no attempt is in flight and all connections are closed. */
  close(): Promise<void>;
}

/**
 * Creates a webhook client with its own connections.
 * @throws Error that names the setting whose file cannot be used
 */
export function createWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { timeoutMs } = options;
  const connector = createConnector(options, () => pool.closeIdle());
  const { parseTarget } = connector;
  const pool: ConnectionPool = new ConnectionPool(connector.connect, {
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
    get isAvailable() {
      return connector.proxy?.isAvailable ?? true;
    },
    close: () =>
      new Promise((resolve) => {
        connector.close();
        closing = () => {
          pool.closeIdle();
          resolve();
        };
        if (inFlight === 0) closing();
      }),
  };
}

/**
 * Opens one connection to the host of `url`, as an attempt would, and closes it. Sends no request.
 * @throws Error if that fails or takes longer than `options.timeoutMs`: ProxyFault, BlockedDestination, or an error of
 *   network or TLS with a `code`
 */
export async function tryConnection(url: string, options: WebhookClientOptions): Promise<Opening> {
  const connector = createConnector(options, () => undefined);
  const target = connector.parseTarget(url);
  if ('refused' in target) {
    connector.close();
    if (target.refused === 'blocked_destination') throw new BlockedDestination();
    throw new Error('The receiver must be a host, or an https URL.');
  }

  const opening: Opening = { startedAt: performance.now() };
  try {
    return await new Promise<Opening>((resolve, reject) => {
      const timer = setTimeout(() => {
        stop();
        reject(opening.proxyFault?.() ?? new Error(`no connection within ${options.timeoutMs} ms`));
      }, options.timeoutMs);

      const stop = connector.connect(
        destinationOf(target.origin),
        () => undefined,
        (end) => {
          clearTimeout(timer);
          if (end instanceof Error) reject(end);
          else {
            end.socket.on('error', () => undefined).destroy();
            resolve(opening);
          }
        },
        opening,
      );
    });
  } finally {
    connector.close();
  }
}

/** What opens the connections of a webhook client. */
interface Connector {
  readonly connect: Connect;
  readonly parseTarget: ReturnType<typeof createTargetParser>;
  readonly proxy: Proxy | undefined;
  close(): void;
}

/**
 * @param onReplaced called when another client certificate takes effect; connections in use are closed before their
 *   next request
 */
function createConnector(options: WebhookClientOptions, onReplaced: () => void): Connector {
  const { timeoutMs, allowPrivateTargets, caFile, clientCertificate } = options;
  const mayConnect = createEgressPolicy(allowPrivateTargets);

  const credentials = new TlsCredentials({
    caFile,
    client: clientCertificate && {
      ...clientCertificate,
      onReplaced: (certificate) => {
        onReplaced();
        clientCertificate.onReplaced?.(certificate);
      },
    },
  });

  // Its certificate is for receivers only.
  const proxy =
    options.proxy &&
    new Proxy({ ...options.proxy, timeoutMs, trust: new TlsCredentials({ caFile }).context });

  const connect = ssrfGuardedConnect({
    names: options.names ?? machineNames(allowPrivateTargets.kind !== 'none'),
    mayConnect,
    trust: () => credentials.context,
    proxy,
    now: options.now,
  });

  return {
    connect,
    parseTarget: createTargetParser(mayConnect),
    proxy,
    close() {
      credentials.close();
      proxy?.close();
    },
  };
}

function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}
