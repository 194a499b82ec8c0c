import { createEgressPolicy } from '../domain/endpoint/egress-policy.js';
import type { PrivateTargets } from '../domain/private-targets.js';
import type { Attempt } from '../domain/delivery/rules/outcome.js';
import { createTargetParser } from './ssrf/request-target.js';
import { ConnectionPool } from './http1/connection-pool.js';
import { Exchange } from './http1/exchange.js';
import type { Message } from './http1/request-bytes.js';
import { defaultResolver, type Resolve } from './ssrf/resolve.js';
import { ssrfGuardedConnect } from './ssrf/ssrf-guard.js';
import { trustedContext } from './http1/trust.js';

/** What a poster needs to know; the first three come from the settings. */
export interface PosterOptions {
  /** One deadline for connect, TLS, headers and body together (H65). */
  readonly timeoutMs: number;
  readonly allowPrivateTargets: PrivateTargets;
  /** PEM file of further certificate authorities. */
  readonly caFile?: string | undefined;
  /**
   * Connections of one account to one origin at a time, default 100. Attempts beyond it wait within
   * their deadline, so it should be no less than what may be in flight.
   */
  readonly connectionsPerOrigin?: number;
  /** Idle connections that are kept, default 500. */
  readonly idleConnections?: number;
  /** How names become addresses; the machine's name servers by default. */
  readonly resolve?: Resolve;
  /** The clock that certificates expire by, in milliseconds since 1970; defaults to the process clock. */
  readonly now?: () => number;
}

/** What a request is besides its bytes. */
export interface PostOptions {
  /** Whose request it is: accounts share no connection. Defaults to none. */
  readonly account?: string;
  /** Breaks the request off. */
  readonly signal?: AbortSignal;
  /**
   * This moment by the clock that due times count by, against which an answer's dates are read.
   * Defaults to the clock of the process.
   */
  readonly at?: Date;
}

/** Sends finished bytes to receivers: the only way out of a worker. */
export interface Poster {
  /**
   * POSTs `body` to an https url and says what came of it; whatever the receiver does is an outcome.
   * A status line with whole headers decides: 2xx is accepted even when the body after it drips,
   * breaks off, breaks the protocol or is longer than the 64 KiB that are read (H64, H65). Nothing is
   * decompressed and no redirect is followed. `headers` must not name the host.
   * @throws the reason of `signal` when it aborts; Error on headers that cannot be sent, or after close
   */
  post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer,
    options?: PostOptions,
  ): Promise<Attempt>;
  /** Ends when every attempt in flight has ended and all connections are closed. */
  close(): Promise<void>;
}

/**
 * A poster with its own connections. Verifies certificates, knows no proxy, and reaches only
 * addresses that `allowPrivateTargets` leaves open.
 * @throws Error when `caFile` cannot be used
 */
export function createPoster(options: PosterOptions): Poster {
  const { timeoutMs, allowPrivateTargets } = options;
  const mayConnect = createEgressPolicy(allowPrivateTargets);
  const parseTarget = createTargetParser(mayConnect);
  const connect = ssrfGuardedConnect({
    resolve: options.resolve ?? defaultResolver(allowPrivateTargets.kind !== 'none'),
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
  /** How to break off what is in flight under `signal`: one listener serves all of it. */
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
    post: async (url, headers, body, { account = '', signal, at = new Date() } = {}) => {
      if (closing) throw new Error('the poster is closed');
      signal?.throwIfAborted();
      const requestTarget = parseTarget(url);
      if ('refused' in requestTarget) {
        return { outcome: { kind: 'refused', reason: requestTarget.refused }, durationMs: 0 };
      }
      return send(
        { origin: requestTarget.origin, account, path: requestTarget.path, headers, body, at },
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
