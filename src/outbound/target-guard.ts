import { isIP, type LookupFunction, type TcpSocketConnectOpts } from 'node:net';
import { connect, type ConnectionOptions, type SecureContext, type TLSSocket } from 'node:tls';
import type { DialRule } from '../domain/endpoint/dial-rule.js';
import { isValid, Sessions, type Validity, validityOf } from './sessions.js';
import { NameUnresolved, type Resolve, type ResolvedAddress } from './resolve.js';

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
export function guardedLookup(resolve: Resolve, mayDial: DialRule): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname)
      .then((answer) => judged(answer, mayDial, options.family))
      .then(
        (answer) => {
          if (options.all) callback(null, answer);
          else callback(null, answer[0].address, answer[0].family);
        },
        (error: unknown) => callback(error as Error, '', 0),
      );
  };
}

function judged(
  answer: readonly ResolvedAddress[],
  mayDial: DialRule,
  family: number | string | undefined,
): [ResolvedAddress, ...ResolvedAddress[]] {
  if (!answer.every(({ address }) => mayDial(address))) throw new BlockedDestination();
  const [first, ...more] = answer.filter((each) => !family || each.family === family);
  if (!first) throw new NameUnresolved('the name has no address of this family');
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
  readonly mayDial: DialRule;
  readonly trust: SecureContext;
  /** The clock that certificates expire by, in milliseconds since 1970; defaults to the process clock. */
  readonly now?: (() => number) | undefined;
}

const keepAliveProbeMs = 60_000;
const attemptPerAddressMs = 500;
/** Room for the largest TLS record. */
const readBytes = 16_384;

/**
 * Opens connections that end only at addresses that may be dialled: the answer of DNS is judged
 * before the dial, the address of the peer after it. Certificates are always verified, for the
 * name that was dialled. Whoever asks for one sets the deadline, by destroying the socket.
 */
export function guardedConnect({
  resolve,
  mayDial,
  trust,
  now = Date.now,
}: ConnectOptions): Connect {
  const lookup = guardedLookup(resolve, mayDial);
  const sessions = new Sessions();
  const memory = Buffer.alloc(readBytes);
  return (to, receive, done) => {
    const destination = `${to.host} ${to.port}`;
    const resumed = sessions.of(destination, now());
    let validity: Validity | undefined;
    /** The receiver may have refused to resume; a ticket that a resumption brings is no younger. */
    const validitySince = (socket: TLSSocket) => {
      const before = socket.isSessionReused() ? resumed?.validity : undefined;
      return (validity ??= before ?? validityOf(socket.getPeerCertificate(true), now()));
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
        buffer: memory,
        callback: (length) => {
          receive(memory.subarray(0, length));
          return true;
        },
      },
    };
    const socket = connect(options);
    socket.on('session', (ticket) =>
      sessions.keep(destination, { ticket, validity: validitySince(socket) }),
    );
    // The session may be what the receiver could not bear.
    const forget = () => sessions.forget(destination);
    socket.once('error', done).once('close', forget);
    socket.once('secureConnect', () => {
      socket.off('error', done).off('close', forget);
      const peer = socket.remoteAddress;
      if (peer !== undefined && mayDial(peer)) {
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
