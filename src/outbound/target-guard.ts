import type { LookupFunction } from 'node:net';
import type { SecureContext, TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import type { DialRule } from '../domain/endpoint/dial-rule.js';
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

/** Opens one TLS connection; `opened` sees the socket at once, `done` when it may be used. */
export type Connect = (
  options: buildConnector.Options,
  opened: (socket: TLSSocket) => void,
  done: buildConnector.Callback,
) => void;

/** What a guarded connection is made from; times in milliseconds. */
export interface ConnectOptions {
  readonly resolve: Resolve;
  readonly mayDial: DialRule;
  readonly trust: SecureContext;
  readonly timeoutMs: number;
}

/**
 * Opens connections that end only at addresses that may be dialled: the answer of DNS is judged
 * before the dial, the address of the peer after it. Certificates are always verified, for the
 * name that was dialled.
 */
export function guardedConnect({ resolve, mayDial, trust, timeoutMs }: ConnectOptions): Connect {
  const connect = buildConnector({
    lookup: guardedLookup(resolve, mayDial),
    secureContext: trust,
    rejectUnauthorized: true,
    allowH2: false,
    timeout: timeoutMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 500,
  }) as (options: buildConnector.Options, callback: buildConnector.Callback) => TLSSocket;
  return (options, opened, done) => {
    const socket = connect(options, (...result) => {
      const [error] = result;
      if (error) {
        done(error, null);
      } else if (socket.remoteAddress !== undefined && mayDial(socket.remoteAddress)) {
        done(null, socket);
      } else {
        const blocked = socket.remoteAddress !== undefined;
        socket.on('error', () => undefined).destroy();
        done(blocked ? new BlockedDestination() : reset(), null);
      }
    });
    opened(socket);
  };
}

function reset(): NodeJS.ErrnoException {
  return Object.assign(new Error('closed while it was opened'), { code: 'ECONNRESET' });
}
