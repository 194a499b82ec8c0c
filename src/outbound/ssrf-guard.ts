// Opens TLS connections to receivers, and only to addresses that the egress policy permits.
//
// A name is resolved, its addresses are checked, and exactly these are dialled (ConnectionRace); the address of the peer
// is checked again afterwards. So neither a second DNS answer nor a redirected connection reaches a private address. The
// certificate is always verified for the requested host. A resumed TLS session (TlsSessionCache) proves nothing new, so
// it is trusted only as long as the certificate that began it, and for an hour at most.
//
// With a proxy, a tunnel (proxy.ts) to each checked address takes the place of the connection. If the proxy resolves
// names itself, only literal addresses and `localhost` are judged here.
import type { EventEmitter } from 'node:events';
import { isIP, type TcpSocketConnectOpts } from 'node:net';
import { connect, type ConnectionOptions, type SecureContext, type TLSSocket } from 'node:tls';
import type { EgressPolicy, Nat64Prefix } from '../domain/endpoint/egress-policy.js';
import { type Proxy, ProxyFault, Tunnel } from './proxy.js';
import {
  isLocalName,
  type NameResolver,
  type Resolution,
  type ResolvedAddress,
  NameNotResolved,
} from './resolve.js';
import type { RefusedReason } from '../domain/delivery/outcome.js';
import { isBlockedLiteral } from '../domain/endpoint/endpoint-url.js';
import { parseUrl } from '../domain/values/url.js';

/** The egress policy blocks the address of the target. The message names no address. */
export class BlockedDestination extends Error {
  readonly code = 'ERR_BLOCKED_DESTINATION';

  constructor() {
    super('The egress policy blocks the destination.');
  }
}

/** A host name, or a literal address without brackets, and its port. */
interface Destination {
  readonly host: string;
  readonly port: number;
}

/** @param origin `https://` with the host and, unless it is 443, the port */
export function destinationOf(origin: string): Destination {
  const { hostname, port } = new URL(origin);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 443 : Number(port) };
}

/**
 * When each phase of opening a connection ended, in milliseconds of `performance.now()`; undefined for a
 * phase that did not end or was not needed.
 */
export interface Opening {
  readonly startedAt: number;
  lookedUpAt?: number;
  connectedAt?: number;
  securedAt?: number;
  /** The address of the last connection attempt; undefined if a proxy resolves the name. */
  address?: string;
  tlsVersion?: string;
  /** Set while a proxy opens the connection. Call it when the time is over: returns its fault, if it is one. */
  proxyFault?: (() => ProxyFault | undefined) | undefined;
}

/** A TLS connection to a permitted address, with a verified certificate. */
export interface SecureConnection {
  readonly socket: TLSSocket;
  /**
   * Turns false an hour after the last full handshake, when a certificate of it expires, or when another client
   * certificate takes effect.
   */
  readonly isTrusted: () => boolean;
}

/**
 * Opens one TLS connection.
 * @param receive gets the bytes that arrive, in a buffer that all connections reuse
 * @param done is called once, after this call returned, with the connection or with an error
 * @param opening is filled in while the connection opens
 * @returns a function that stops opening; `done` is then not called
 */
export type Connect = (
  to: Destination,
  receive: (bytes: Buffer) => void,
  done: (end: SecureConnection | Error) => void,
  opening?: Opening,
) => () => void;

interface ConnectOptions {
  readonly names: NameResolver;
  readonly mayConnect: EgressPolicy;
  /** The certificates to trust and to send; another object ends all TLS sessions. */
  readonly trust: () => SecureContext;
  /** Defaults to none. */
  readonly proxy?: Proxy | undefined;
  /** The clock for the expiry of certificates, in milliseconds since 1970. Defaults to `Date.now`. */
  readonly now?: (() => number) | undefined;
}

const keepAliveProbeMs = 60_000;
/** The largest TLS record. */
const readBufferBytes = 16_384;

/**
 * Creates a function that connects only to permitted addresses. It checks the answers of DNS before it
 * connects, and the address of the peer afterwards. It connects to exactly the addresses that it checked,
 * so a second DNS answer cannot replace them. It always verifies the certificate for the requested host
 * name. It has no timeout: the caller stops it.
 */
export function ssrfGuardedConnect({
  names,
  mayConnect,
  trust,
  proxy,
  now = Date.now,
}: ConnectOptions): Connect {
  let sessionContext = trust();
  let currentSessions = new TlsSessionCache();
  const readBuffer = Buffer.alloc(readBufferBytes);

  return (to, receive, done, opening) => {
    const secureContext = trust();
    if (secureContext !== sessionContext) {
      sessionContext = secureContext;
      currentSessions = new TlsSessionCache();
    }

    const sessions = currentSessions;
    const destination = `${to.host} ${to.port}`;
    const family = isIP(to.host);
    const resumed = sessions.get(destination, now());
    let nat64: readonly Nat64Prefix[] = [];
    let connected: TLSSocket | undefined;
    let ended = false;

    const end = (result: SecureConnection | Error) => {
      if (ended) return;
      ended = true;
      done(result);
    };

    const tlsOptions: ConnectionOptions = {
      // Node sends SNI only if told to, and most receivers share an address.
      ...(family === 0 && { servername: to.host.replace(/\.$/, '') }),
      secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      session: resumed?.ticket,
    };

    const connectTo = (address: string) => {
      if (opening) opening.address = address;

      const options: ConnectionOptions & TcpSocketConnectOpts = {
        ...tlsOptions,
        host: address,
        port: to.port,
        noDelay: true,
        keepAlive: true,
        keepAliveInitialDelay: keepAliveProbeMs,
        onread: {
          buffer: readBuffer,
          callback: (length) => {
            receive(readBuffer.subarray(0, length));
            return true;
          },
        },
      };
      return connect(options);
    };

    const tunnels: Tunnel[] = [];

    const tunnelTo = (proxyToAsk: Proxy, host: string) => {
      const tunnel = proxyToAsk.open(host, to.port);
      tunnels.push(tunnel);

      if (opening) {
        if (isIP(host) !== 0) opening.address = host;
        opening.proxyFault = () => proxyToAsk.expired(tunnels);
      }

      return tunnel;
    };

    const secureTunnel = ({ socket }: Tunnel) => {
      if (opening) opening.proxyFault = undefined;
      // Node ignores `onread` over a given socket. It reads a record at a time, and `receive` keeps none.
      return connect({ ...tlsOptions, socket }).on('data', receive);
    };

    const secure = (socket: TLSSocket) => {
      connected = socket;

      if (opening) {
        opening.connectedAt = performance.now();
        // Behind a proxy it is the address of the proxy.
        if (!proxy && socket.remoteAddress !== undefined) opening.address = socket.remoteAddress;
      }

      let validity: Validity | undefined;

      /**
       * A ticket from a resumption keeps the validity of its original handshake, unless the receiver
       * refused to resume.
       */
      const validityOfSession = () => {
        const earlierValidity = socket.isSessionReused() ? resumed?.validity : undefined;
        return (validity ??= earlierValidity ?? validityOf(socket.getPeerCertificate(true), now()));
      };

      // The session itself may have made the handshake fail.
      const fail = (error: Error) => {
        sessions.remove(destination);
        end(error);
      };

      const close = () => fail(connectionReset());

      socket.on('session', (ticket) =>
        sessions.set(destination, { ticket, validity: validityOfSession() }),
      );
      socket.once('error', fail).once('close', close);

      socket.once('secureConnect', () => {
        socket.off('error', fail).off('close', close);
        const peer = socket.remoteAddress;
        if (proxy || (peer !== undefined && mayConnect(peer, nat64))) {
          if (opening) Object.assign(opening, { securedAt: performance.now(), ...tlsOf(socket) });
          const until = validityOfSession();
          end({
            socket,
            isTrusted: () => secureContext === trust() && isValid(until, now()),
          });
        } else {
          socket.on('error', () => undefined).destroy();
          end(peer === undefined ? connectionReset() : new BlockedDestination());
        }
      });
    };

    const dial = proxy ? (host: string) => tunnelTo(proxy, host) : connectTo;
    const race = new ConnectionRace<TLSSocket | Tunnel>(dial, (winner) => {
      if (winner instanceof Error) end(winner);
      else secure(winner instanceof Tunnel ? secureTunnel(winner) : winner);
    });

    const find = async (): Promise<Resolution> => {
      if (family === 4 || family === 6) return { addresses: [{ address: to.host, family }] };
      return names.resolve(to.host).finally(() => {
        if (opening) opening.lookedUpAt = performance.now();
      });
    };

    const addAddresses = async () => {
      // A proxy would take `localhost` for itself.
      if (proxy?.sendsNames && family === 0 && !isLocalName(to.host)) {
        race.addName(to.host.replace(/\.$/, ''));
        return;
      }

      const { addresses, late } = await find();
      race.add(await checked(addresses), !late);
      if (late) race.add(await checked(await late), true);
    };

    const checked = async (addresses: readonly ResolvedAddress[]) => {
      if (addresses.some((address) => address.family === 6)) nat64 = await names.nat64Prefixes();
      return checkAddresses(addresses, (address) => mayConnect(address, nat64));
    };

    addAddresses().catch((error: unknown) => race.fail(error as Error));

    return () => {
      ended = true;
      race.cancel();
      connected?.on('error', () => undefined).destroy();
    };
  };
}

/**
 * Returns the addresses, unless one of them is blocked.
 * @throws BlockedDestination
 */
export function checkAddresses(
  addresses: readonly ResolvedAddress[],
  mayConnect: EgressPolicy,
): readonly ResolvedAddress[] {
  if (!addresses.every(({ address }) => mayConnect(address))) throw new BlockedDestination();
  return addresses;
}

/** @returns the TLS version as receivers name it, such as `TLSv1.3` */
function tlsOf(socket: TLSSocket): Pick<Opening, 'tlsVersion'> {
  const tlsVersion = socket.getProtocol();
  return tlsVersion === null ? {} : { tlsVersion };
}

/** Creates the error for a connection that closed without an error. */
export function connectionReset(): NodeJS.ErrnoException {
  return Object.assign(new Error('The receiver closed the connection.'), { code: 'ECONNRESET' });
}

/** How long an attempt runs alone before the next one starts. */
const attemptDelayMs = 500;
/** Limits parallel attempts: a name with many silent addresses must not exhaust the sockets of a worker. */
const maxAttempts = 4;

/**
 * Connects to the addresses of a host, one after the other, until one accepts (RFC 8305 section 5). A
 * silent attempt continues while later ones start, and may still win. When one fails, the next starts
 * immediately. Beyond {@link maxAttempts} silent attempts the oldest is abandoned. IPv4 and IPv6 take
 * turns. The race has no timeout: its owner cancels it.
 */
export class ConnectionRace<Dialled extends Dialling = TLSSocket> {
  readonly #connect: (host: string) => Dialled;
  readonly #done: (end: Dialled | Error) => void;
  readonly #attempts = new Set<Dialled>();
  readonly #waiting: ResolvedAddress[] = [];
  #isComplete = false;
  #lastFamily: 4 | 6 | undefined;
  #lastStartedAt = 0;
  #nextAttempt: NodeJS.Timeout | undefined;
  #firstError: Error | undefined;
  #ended = false;

  /**
   * @param connect starts to connect to an address
   * @param done is called once, unless the race is cancelled: with the first socket that connected, or
   *   with the first error if all attempts failed. A fault of the proxy ends it at once
   */
  constructor(connect: (host: string) => Dialled, done: (end: Dialled | Error) => void) {
    this.#connect = connect;
    this.#done = done;
  }

  /**
   * Adds addresses.
   * @param isLast whether no more follow; until then the race does not fail
   */
  add(addresses: readonly ResolvedAddress[], isLast: boolean): void {
    this.#waiting.push(...addresses);
    this.#isComplete = isLast;
    this.#continue();
  }

  /** Adds a name that a proxy resolves; nothing else may be added. */
  addName(host: string): void {
    this.#isComplete = true;
    this.#start(host);
  }

  /** Ends the race with an error, unless it already ended. */
  fail(error: Error): void {
    this.#end(error);
  }

  /** Ends the race without calling `done`. */
  cancel(): void {
    this.#ended = true;
    clearTimeout(this.#nextAttempt);
    for (const socket of this.#attempts) abandon(socket);
    this.#attempts.clear();
  }

  #continue(): void {
    if (this.#ended) return;
    if (this.#attempts.size === 0 && this.#waiting.length > 0) {
      this.#startNext();
    } else if (this.#waiting.length > 0) {
      const delayMs = this.#lastStartedAt + attemptDelayMs - performance.now();
      this.#nextAttempt ??= setTimeout(() => this.#startNext(), Math.max(0, delayMs));
    } else if (this.#attempts.size === 0 && this.#isComplete) {
      this.#end(this.#firstError ?? new NameNotResolved('The name has no address.'));
    }
  }

  #startNext(): void {
    clearTimeout(this.#nextAttempt);
    this.#nextAttempt = undefined;

    const next = this.#takeNext();
    if (!next) return;

    const [oldest] = this.#attempts;
    if (oldest && this.#attempts.size === maxAttempts) {
      this.#attempts.delete(oldest);
      abandon(oldest);
    }

    this.#lastFamily = next.family;
    this.#start(next.address);
    this.#continue();
  }

  #start(host: string): void {
    const socket = this.#connect(host);
    this.#attempts.add(socket);
    this.#lastStartedAt = performance.now();
    socket.once('connect', () => this.#win(socket));
    socket.once('error', (error: Error) => this.#lose(socket, error));
  }

  #takeNext(): ResolvedAddress | undefined {
    const other = this.#waiting.findIndex(({ family }) => family !== this.#lastFamily);
    const [next] = this.#waiting.splice(Math.max(0, other), 1);
    return next;
  }

  #win(socket: Dialled): void {
    if (!this.#attempts.delete(socket)) return;
    this.#end(socket);
  }

  #lose(socket: Dialled, error: Error): void {
    if (!this.#attempts.delete(socket)) return;
    this.#firstError ??= error;
    if (error instanceof ProxyFault) this.#end(error);
    else if (this.#waiting.length > 0) this.#startNext();
    else this.#continue();
  }

  #end(end: Dialled | Error): void {
    if (this.#ended) return;
    this.cancel();
    this.#done(end);
  }
}

/** A socket or tunnel that emits `connect` or `error`. */
type Dialling = Pick<EventEmitter, 'on' | 'once'> & { destroy(): unknown };

function abandon(socket: Dialling): void {
  socket.on('error', () => undefined);
  socket.destroy();
}

const maxSessions = 100;
const maxAgeMs = 3_600_000;

/** How long the result of a full handshake stays valid, in milliseconds since 1970. */
interface Validity {
  readonly from: number;
  readonly until: number;
}

/** A TLS session with the validity of its original full handshake. */
interface TlsSession {
  readonly ticket: Buffer;
  readonly validity: Validity;
}

/** Whether it is valid at this moment. A clock that stepped back ends the validity, too. */
export function isValid({ from, until }: Validity, nowMs: number): boolean {
  return from <= nowMs && nowMs < until;
}

/** The used part of a peer certificate of Node. A root is its own issuer. */
export interface Certificate {
  readonly valid_to: string;
  readonly issuerCertificate?: Certificate | undefined;
}

/**
 * Returns how long a session may be resumed, which checks no certificate: an hour, or until the first
 * certificate of the chain expires. An issuer that has already expired does not count: some receivers
 * send an old cross-signed issuer, and the verification used another path.
 */
export function validityOf(peer: Certificate, nowMs: number): Validity {
  const issuers = new Set<Certificate>();
  let next = peer.issuerCertificate;
  while (next && !issuers.has(next)) {
    issuers.add(next);
    next = next.issuerCertificate;
  }
  const endOf = ({ valid_to }: Certificate) => Date.parse(valid_to);
  const ends = [endOf(peer), ...[...issuers].map(endOf).filter((end) => !(end <= nowMs))];
  return { from: nowMs, until: Math.min(nowMs + maxAgeMs, ...ends) };
}

/** Keeps the last TLS session of each destination, to resume it without certificates (RFC 8446 §2.2). */
export class TlsSessionCache {
  readonly #known = new Map<string, TlsSession>();

  /**
   * Returns a session that may be resumed, and removes an expired one.
   * @param destination host and port, always in the same form
   */
  get(destination: string, nowMs: number): TlsSession | undefined {
    const known = this.#known.get(destination);
    if (!known || isValid(known.validity, nowMs)) return known;
    this.#known.delete(destination);
    return undefined;
  }

  /** Replaces the session of a destination. If the cache is full, removes the oldest destination. */
  set(destination: string, session: TlsSession): void {
    this.#known.set(destination, session);
    if (this.#known.size <= maxSessions) return;
    const [first = ''] = this.#known.keys();
    this.#known.delete(first);
  }

  /** Removes a session; the next handshake is a full one. */
  remove(destination: string): void {
    this.#known.delete(destination);
  }
}

/** Origin and path of a URL, or the reason for refusing it. */
type RequestTarget =
  | { readonly origin: string; readonly path: string }
  | { readonly refused: RefusedReason };

const maxCached = 1_000;

/**
 * Creates a parser for URLs that also checks literal addresses. It caches the results, because the same
 * few URLs recur and a check costs more than sending.
 */
export function createTargetParser(mayConnect: EgressPolicy): (url: string) => RequestTarget {
  const cache = new Map<string, RequestTarget>();
  return (url) => {
    const cached = cache.get(url);
    if (cached) return cached;
    const requestTarget = parseTarget(url, mayConnect);
    if (cache.size >= maxCached) cache.clear();
    cache.set(url, requestTarget);
    return requestTarget;
  };
}

function parseTarget(url: string, mayConnect: EgressPolicy): RequestTarget {
  const target = parseUrl(url);
  // Nothing listens on port 0. Endpoints from before the validation refused it may still have it.
  if (target?.protocol !== 'https:' || target.port === '0') return { refused: 'invalid_target' };
  if (isBlockedLiteral(target, mayConnect)) return { refused: 'blocked_destination' };
  return { origin: target.origin, path: pathOf(url, target) };
}

/**
 * Returns path and query as they are written. The URL parser drops an empty query and encodes apostrophes
 * in queries, which would change what receivers sign or compare. If the parser repairs more, its result
 * counts; only URLs from before the validation refused them need that.
 */
function pathOf(url: string, { pathname, search }: URL): string {
  const [, rest = ''] = /^https:\/\/[^/?]+(.*)$/s.exec(url) ?? [];
  const written = percentEncoded(rest.startsWith('/') ? rest : `/${rest}`);
  const [path = '', ...queries] = written.split('?');
  const query = queries.join('?').replaceAll("'", '%27');
  const parsed = pathname + search;
  return parsed === (query === '' ? path : `${path}?${query}`) ? written : parsed;
}

function percentEncoded(text: string): string {
  return text.replace(/[^\0-\x7f]+/g, encodeURIComponent);
}
