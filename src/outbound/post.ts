import { createEgressPolicy } from '../domain/endpoint/egress-policy.js';
import type { PrivateTargets } from '../domain/private-targets.js';
import type { Attempt } from '../domain/delivery/outcome.js';
import { createTargetParser } from './ssrf/request-target.js';
import type { TraceOptions } from './http1/attempt-tracer.js';
import { ConnectionPool } from './http1/connection-pool.js';
import { Exchange } from './http1/exchange.js';
import type { Message, SendGate } from './http1/request-bytes.js';
import { machineNames, type Names } from './ssrf/resolve.js';
import { ssrfGuardedConnect } from './ssrf/ssrf-guard.js';
import { trustedContext } from './http1/trust.js';

/** Options of a poster; the first three come from the settings. */
export interface PosterOptions {
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
  /** Idle connections to keep, at most. Defaults to 500. */
  readonly idleConnections?: number;
  /** Resolves host names. Defaults to the machine's name servers. */
  readonly names?: Names;
  /** Clock for the expiry of certificates, in milliseconds since 1970. Defaults to the process clock. */
  readonly now?: () => number;
}

/** Options of one request. */
export interface PostOptions {
  /** The sending account: accounts share no connection. Defaults to none. */
  readonly account?: string;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
  /**
   * The current time of the clock that sets due times; dates in a response are relative to it.
   * Defaults to the process clock.
   */
  readonly at?: Date;
  /** Which outcomes have a trace. Defaults to none. */
  readonly trace?: TraceOptions;
  /**
   * Holds the request, once its connection is open, until it may be sent. The timeout stands still
   * meanwhile.
   */
  readonly gate?: SendGate | undefined;
}

/** Sends finished bytes to receivers. All outbound requests of a worker go through it. */
export interface Poster {
  /**
   * POSTs `body` to an https URL. Each behaviour of the receiver is an outcome, not an error. The
   * status line and complete headers decide: 2xx is accepted, even if the body is slow, breaks off,
   * is malformed, or exceeds the 64 KiB that are read. Decompresses nothing and follows no
   * redirect. `headers` must not include `host`.
   * @throws the reason of `signal` when it aborts
   * @throws what `gate` throws
   * @throws UnsendableHeaders
   * @throws Error after close
   */
  post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer,
    options?: PostOptions,
  ): Promise<Attempt>;
  /** Resolves when no attempt is in flight and all connections are closed. */
  close(): Promise<void>;
}

/**
 * Creates a poster with its own connections. It verifies certificates and uses no proxy. It
 * connects only to addresses that `allowPrivateTargets` permits.
 * @throws Error when `caFile` cannot be used
 */
export function createPoster(options: PosterOptions): Poster {
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
  /** Functions that abort the requests in flight under `signal`. One listener serves them all. */
  const abortersOf = (signal: AbortSignal) => {
    const known = abortersBySignal.get(signal);
    if (known) return known;
    const aborters = new Set<(error: Error) => void>();
    abortersBySignal.set(signal, aborters);
    const abortAll = () => aborters.forEach((abort) => abort(reasonOf(signal)));
    signal.addEventListener('abort', abortAll, { once: true });
    return aborters;
  };

  const send = (message: Message, signal: AbortSignal | undefined) =>
    new Promise<Attempt>((resolve, reject) => {
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
      if (closing) throw new Error('The poster is closed.');
      signal?.throwIfAborted();
      const requestTarget = parseTarget(url);
      if ('refused' in requestTarget) {
        return { outcome: { kind: 'refused', reason: requestTarget.refused }, durationMs: 0 };
      }
      return send(
        {
          origin: requestTarget.origin,
          account,
          path: requestTarget.path,
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
