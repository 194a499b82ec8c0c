import { isIP, type TcpSocketConnectOpts } from 'node:net';
import { connect, type ConnectionOptions, type SecureContext, type TLSSocket } from 'node:tls';
import type { EgressPolicy, Nat64Prefix } from '../../domain/endpoint/egress-policy.js';
import { isValid, TlsSessionCache, type Validity, validityOf } from '../http1/tls-sessions.js';
import { ConnectionRace } from './connection-race.js';
import type { Names, Resolution, ResolvedAddress } from './resolve.js';

/** Deliveries must not reach the target's address. The message names no address. */
export class BlockedDestination extends Error {
  readonly code = 'ERR_BLOCKED_DESTINATION';

  constructor() {
    super('The egress policy blocks the destination.');
  }
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

/** A TLS connection to a permitted address, with a verified certificate. */
export interface SecureConnection {
  readonly socket: TLSSocket;
  /** Becomes false an hour after the last full handshake, or when a certificate of it expires. */
  readonly isTrusted: () => boolean;
}

/**
 * Opens one TLS connection.
 * @param receive gets the bytes that arrive; the next bytes of any connection overwrite its buffer
 * @param done called once, after this call: with the connection, or with an error
 * @param opening is filled in while the connection opens
 * @returns stops opening it; `done` is then not called
 */
export type Connect = (
  to: Destination,
  receive: (bytes: Buffer) => void,
  done: (end: SecureConnection | Error) => void,
  opening?: Opening,
) => () => void;

export interface ConnectOptions {
  readonly names: Names;
  readonly mayConnect: EgressPolicy;
  readonly trust: SecureContext;
  /** Clock for the expiry of certificates, in milliseconds since 1970. Defaults to the process clock. */
  readonly now?: (() => number) | undefined;
}

const keepAliveProbeMs = 60_000;
/** The largest TLS record. */
const readBufferBytes = 16_384;

/**
 * Makes a connect function that reaches only permitted addresses. It checks DNS answers before
 * connecting, and the peer's address afterwards. It connects to the addresses that were checked, so
 * a second DNS answer cannot replace them. It always verifies the certificate for the requested
 * host name. It has no timeout: the caller stops it.
 */
export function ssrfGuardedConnect({
  names,
  mayConnect,
  trust,
  now = Date.now,
}: ConnectOptions): Connect {
  const sessions = new TlsSessionCache();
  const readBuffer = Buffer.alloc(readBufferBytes);

  return (to, receive, done, opening) => {
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

    const connectTo = (address: string) => {
      if (opening) opening.address = address;
      const options: ConnectionOptions & TcpSocketConnectOpts = {
        host: address,
        port: to.port,
        // Node sends SNI only if told to, and most receivers share their address with others.
        ...(family === 0 && { servername: to.host.replace(/\.$/, '') }),
        secureContext: trust,
        rejectUnauthorized: true,
        ALPNProtocols: ['http/1.1'],
        session: resumed?.ticket,
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

    const secure = (socket: TLSSocket) => {
      connected = socket;
      if (opening) {
        opening.connectedAt = performance.now();
        if (socket.remoteAddress !== undefined) opening.address = socket.remoteAddress;
      }
      let validity: Validity | undefined;
      /**
       * The receiver may have refused to resume. A ticket from a resumption keeps the validity of
       * its original handshake.
       */
      const validityOfSession = () => {
        const earlierValidity = socket.isSessionReused() ? resumed?.validity : undefined;
        return (validity ??= earlierValidity ?? validityOf(socket.getPeerCertificate(true), now()));
      };
      // The session itself may be why the handshake failed.
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
        if (peer !== undefined && mayConnect(peer, nat64)) {
          if (opening) Object.assign(opening, { securedAt: performance.now(), ...tlsOf(socket) });
          const until = validityOfSession();
          end({ socket, isTrusted: () => isValid(until, now()) });
        } else {
          socket.on('error', () => undefined).destroy();
          end(peer === undefined ? connectionReset() : new BlockedDestination());
        }
      });
    };

    const race = new ConnectionRace(connectTo, (winner) => {
      if (winner instanceof Error) end(winner);
      else secure(winner);
    });
    const find = async (): Promise<Resolution> => {
      if (family === 4 || family === 6) return { addresses: [{ address: to.host, family }] };
      return names.resolve(to.host).finally(() => {
        if (opening) opening.lookedUpAt = performance.now();
      });
    };
    const addAddresses = async () => {
      const { addresses, late } = await find();
      race.add(await checked(addresses), !late);
      if (late) race.add(await checked(await late), true);
    };
    const checked = async (addresses: readonly ResolvedAddress[]) => {
      if (addresses.some((each) => each.family === 6)) nat64 = await names.nat64Prefixes();
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
 * Returns the addresses. One blocked address rejects the host.
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

/** The error of a connection that closed without an error of its own. */
export function connectionReset(): NodeJS.ErrnoException {
  return Object.assign(new Error('The receiver closed the connection.'), { code: 'ECONNRESET' });
}
