import { isIP, type LookupFunction, type TcpSocketConnectOpts } from 'node:net';
import { connect, type ConnectionOptions, type SecureContext, type TLSSocket } from 'node:tls';
import type { EgressPolicy } from '../../domain/endpoint/egress-policy.js';
import { isValid, TlsSessionCache, type Validity, validityOf } from '../http1/tls-sessions.js';
import { NameNotResolved, type Resolve, type ResolvedAddress } from './resolve.js';

/** Deliveries must not reach the target's address. The message names no address. */
export class BlockedDestination extends Error {
  readonly code = 'ERR_BLOCKED_DESTINATION';

  constructor() {
    super('The egress policy blocks the destination.');
  }
}

/**
 * A `lookup` for sockets. One blocked address rejects the host. The socket connects only to the
 * addresses that were checked, so a second DNS answer cannot replace them. Supports both callback
 * forms. Node does not call it for literal addresses.
 */
export function ssrfGuardedLookup(resolve: Resolve, mayConnect: EgressPolicy): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname)
      .then((addresses) => checkAddresses(addresses, mayConnect, options.family))
      .then(
        (addresses) => {
          if (options.all) callback(null, addresses);
          else callback(null, addresses[0].address, addresses[0].family);
        },
        (error: unknown) => callback(error as Error, '', 0),
      );
  };
}

function checkAddresses(
  addresses: readonly ResolvedAddress[],
  mayConnect: EgressPolicy,
  family: number | string | undefined,
): [ResolvedAddress, ...ResolvedAddress[]] {
  if (!addresses.every(({ address }) => mayConnect(address))) throw new BlockedDestination();
  const [first, ...more] = addresses.filter((each) => !family || each.family === family);
  if (!first) throw new NameNotResolved('The name has no address of this family.');
  return [first, ...more];
}

/** A host name, or a literal address without brackets, and its port. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/**
 * How far a connection came while it opened: the end of each phase in milliseconds of
 * `performance.now()`. A phase that did not end, or was not needed, has no time.
 */
export interface Opening {
  readonly startedAt: number;
  lookedUpAt?: number;
  connectedAt?: number;
  securedAt?: number;
  /** The address of the last connection attempt. */
  address?: string;
  tlsVersion?: string;
}

/**
 * Opens one TLS connection.
 * @param receive gets the bytes that arrive; the next bytes of any connection overwrite its buffer
 * @param done called once: with an error, or when the connection may be used. `isTrusted` becomes
 *   false an hour after the last full handshake, or when a certificate of it expires
 * @param opening is filled in while the connection opens
 */
export type Connect = (
  to: Destination,
  receive: (bytes: Buffer) => void,
  done: (error?: Error, isTrusted?: () => boolean) => void,
  opening?: Opening,
) => TLSSocket;

export interface ConnectOptions {
  readonly resolve: Resolve;
  readonly mayConnect: EgressPolicy;
  readonly trust: SecureContext;
  /** Clock for the expiry of certificates, in milliseconds since 1970. Defaults to the process clock. */
  readonly now?: (() => number) | undefined;
}

const keepAliveProbeMs = 60_000;
const attemptPerAddressMs = 500;
/** The largest TLS record. */
const readBufferBytes = 16_384;

/**
 * Makes a connect function that reaches only permitted addresses. It checks DNS answers before
 * connecting, and the peer's address afterwards. It always verifies the certificate for the
 * requested host name. It has no timeout: the caller destroys the socket.
 */
export function ssrfGuardedConnect({
  resolve,
  mayConnect,
  trust,
  now = Date.now,
}: ConnectOptions): Connect {
  const lookup = ssrfGuardedLookup(resolve, mayConnect);
  const sessions = new TlsSessionCache();
  const readBuffer = Buffer.alloc(readBufferBytes);
  return (to, receive, done, opening) => {
    const destination = `${to.host} ${to.port}`;
    const resumed = sessions.get(destination, now());
    let validity: Validity | undefined;
    /**
     * The receiver may have refused to resume. A ticket from a resumption keeps the validity of its
     * original handshake.
     */
    const validitySince = (socket: TLSSocket) => {
      const earlierValidity = socket.isSessionReused() ? resumed?.validity : undefined;
      return (validity ??= earlierValidity ?? validityOf(socket.getPeerCertificate(true), now()));
    };
    const options: ConnectionOptions & TcpSocketConnectOpts = {
      ...to,
      // Node sends SNI only if told to, and most receivers share their address with others.
      ...(isIP(to.host) === 0 && { servername: to.host.replace(/\.$/, '') }),
      lookup,
      secureContext: trust,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      session: resumed?.ticket,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: attemptPerAddressMs,
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
    const socket = connect(options);
    if (opening) observe(socket, opening);
    socket.on('session', (ticket) =>
      sessions.set(destination, { ticket, validity: validitySince(socket) }),
    );
    // The session itself may be why the handshake failed.
    const remove = () => sessions.remove(destination);
    socket.once('error', done).once('close', remove);
    socket.once('secureConnect', () => {
      socket.off('error', done).off('close', remove);
      const peer = socket.remoteAddress;
      if (peer !== undefined && mayConnect(peer)) {
        if (opening) Object.assign(opening, { securedAt: performance.now(), ...tlsOf(socket) });
        const until = validitySince(socket);
        done(undefined, () => isValid(until, now()));
      } else {
        socket.on('error', () => undefined).destroy();
        done(peer === undefined ? connectionReset() : new BlockedDestination());
      }
    });
    return socket;
  };
}

function observe(socket: TLSSocket, opening: Opening): void {
  socket.once('lookup', () => (opening.lookedUpAt = performance.now()));
  socket.on('connectionAttempt', (address: string) => (opening.address = address));
  socket.once('connect', () => (opening.connectedAt = performance.now()));
}

/** @returns the TLS version as receivers name it, such as `TLSv1.3` */
function tlsOf(socket: TLSSocket): Pick<Opening, 'tlsVersion'> {
  const tlsVersion = socket.getProtocol();
  return tlsVersion === null ? {} : { tlsVersion };
}

/** The error of a connection that closed without an error of its own. */
export function connectionReset(): NodeJS.ErrnoException {
  return Object.assign(new Error('The receiver closed the connection.'), { code: 'ECONNRESET' });
}
