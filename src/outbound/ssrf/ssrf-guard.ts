import { isIP, type LookupFunction, type TcpSocketConnectOpts } from 'node:net';
import { connect, type ConnectionOptions, type SecureContext, type TLSSocket } from 'node:tls';
import type { EgressPolicy } from '../../domain/endpoint/egress-policy.js';
import { isValid, TlsSessionCache, type Validity, validityOf } from '../http1/tls-sessions.js';
import { NameNotResolved, type Resolve, type ResolvedAddress } from './resolve.js';

/** The target is an address that deliveries must not reach; the message names no address. */
export class BlockedDestination extends Error {
  readonly code = 'ERR_BLOCKED_DESTINATION';

  constructor() {
    super('the destination is blocked');
  }
}

/**
 * A `lookup` for sockets: the whole answer is refused when one address of it may not be dialled,
 * and what is dialled comes from the answer that was judged. Serves both callback forms.
 * Node does not call it for literal addresses.
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
  if (!first) throw new NameNotResolved('the name has no address of this family');
  return [first, ...more];
}

/** Where a connection leads: a name or a literal address without brackets. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/**
 * Opens one TLS connection. `done` hears once, when it may be used or never will be; `receive` gets
 * what arrives, in memory that the next bytes of any connection overwrite. `isTrusted` turns false an
 * hour after the last full handshake, or when a certificate expires that it has verified.
 */
export type Connect = (
  to: Destination,
  receive: (bytes: Buffer) => void,
  done: (error?: Error, isTrusted?: () => boolean) => void,
) => TLSSocket;

/** What a guarded connection is made from. */
export interface ConnectOptions {
  readonly resolve: Resolve;
  readonly mayConnect: EgressPolicy;
  readonly trust: SecureContext;
  /** The clock that certificates expire by, in milliseconds since 1970; defaults to the process clock. */
  readonly now?: (() => number) | undefined;
}

const keepAliveProbeMs = 60_000;
const attemptPerAddressMs = 500;
/** Room for the largest TLS record. */
const readBufferBytes = 16_384;

/**
 * Opens connections that end only at addresses that may be dialled: the answer of DNS is judged
 * before the dial, the address of the peer after it. Certificates are always verified, for the
 * name that was dialled. Whoever asks for one sets the deadline, by destroying the socket.
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
  return (to, receive, done) => {
    const destination = `${to.host} ${to.port}`;
    const resumed = sessions.get(destination, now());
    let validity: Validity | undefined;
    /** The receiver may have refused to resume; a ticket that a resumption brings is no younger. */
    const validitySince = (socket: TLSSocket) => {
      const earlierValidity = socket.isSessionReused() ? resumed?.validity : undefined;
      return (validity ??= earlierValidity ?? validityOf(socket.getPeerCertificate(true), now()));
    };
    const options: ConnectionOptions & TcpSocketConnectOpts = {
      ...to,
      // Node sends no name that it is not told, and most receivers share their address with others.
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
    socket.on('session', (ticket) =>
      sessions.set(destination, { ticket, validity: validitySince(socket) }),
    );
    // The session may be what the receiver could not bear.
    const remove = () => sessions.remove(destination);
    socket.once('error', done).once('close', remove);
    socket.once('secureConnect', () => {
      socket.off('error', done).off('close', remove);
      const peer = socket.remoteAddress;
      if (peer !== undefined && mayConnect(peer)) {
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

/** A connection that ended without a word about why. */
export function connectionReset(): NodeJS.ErrnoException {
  return Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
}
