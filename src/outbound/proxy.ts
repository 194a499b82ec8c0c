// The proxy of WEBHOOKS_PROXY_URL: opens tunnels to receivers (CONNECT, RFC 9110 §9.3.6), and tells its own faults from
// those of receivers.
//
// - Each tunnel is a connection of its own. TLS to the receiver begins inside it and ends at the receiver.
// - A fault of the proxy is a ProxyFault, and the attempt does not count: the proxy cannot be reached, closes or sends
//   nonsense before it answers, or refuses the credentials (407; tinyproxy says 401). Any other status than 2xx says
//   that the proxy works and does not reach this receiver: ProxyRefusal, a failed attempt.
// - Silence after CONNECT means either: a receiver that drops packets looks like a proxy that hangs. So after
//   `checkAfterMs` the proxy is asked something that it answers alone. If it reacts to that or answers another CONNECT,
//   the receiver is silent.
// - A fault that no receiver can cause suspends the proxy at once, others do after several in a row. A suspended proxy
//   is checked at intervals that grow from 1 to 30 seconds, one check at a time, and no tunnel is opened meanwhile.
//
// Everything is in memory: after a crash the first attempt finds out again. No message contains credentials.
import { EventEmitter } from 'node:events';
import { lookup } from 'node:dns/promises';
import {
  connect,
  isIP,
  type LookupFunction,
  type Socket,
  type TcpSocketConnectOpts,
} from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';

/** How the proxy failed. */
export type ProxyFaultReason = 'unreachable' | 'silent' | 'closed' | 'malformed' | 'credentials';

const faultMessages: Readonly<Record<ProxyFaultReason, string>> = {
  unreachable: 'cannot be reached',
  silent: 'does not answer',
  closed: 'closed the connection before it answered CONNECT',
  malformed: 'did not answer CONNECT with HTTP/1.1',
  credentials: 'refused the credentials',
};

/** A fault of the proxy itself: nothing was sent, and the receiver has no part in it. */
export class ProxyFault extends Error {
  override readonly name = 'ProxyFault';

  /**
   * @param isGeneral whether every tunnel fails now, whatever its receiver
   * @param code of the network or TLS error, if there is one
   */
  constructor(
    readonly reason: ProxyFaultReason,
    readonly isGeneral: boolean,
    code?: string,
  ) {
    const detail = code === undefined ? '' : ` (${code})`;
    super(`the proxy of WEBHOOKS_PROXY_URL ${faultMessages[reason]}${detail}`);
  }
}

/** The proxy works and opens no tunnel to this receiver. */
export class ProxyRefusal extends Error {
  readonly code: string;

  /** @param status the status of the answer to CONNECT */
  constructor(readonly status: number) {
    super(`The proxy answered CONNECT with ${status}.`);
    this.code = `PROXY_STATUS_${status}`;
  }
}

export interface ProxyOptions {
  /** `http://` or `https://`, with user and password if the proxy needs them. */
  readonly url: string;
  /** Whether CONNECT names the host, which the proxy then resolves. */
  readonly sendsNames: boolean;
  /** The certificate authorities for an https proxy. */
  readonly trust: SecureContext;
  /** The timeout of an attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Called with each fault, also of checks while the proxy is suspended. */
  readonly onFault: (fault: ProxyFault) => void;
  /** Called when the proxy is no longer suspended. */
  readonly onAvailable: () => void;
}

/** A silent proxy is checked after this long, and after a quarter of the timeout at most. */
const maxCheckAfterMs = 2_000;
/** How long each request of a check may take, and a quarter of the timeout at most: both end before the attempt. */
const maxCheckTimeoutMs = 2_500;
const minBackoffMs = 1_000;
const maxBackoffMs = 30_000;
/** After this many faults in a row that a receiver could cause, the cause is taken to be the proxy. */
const maxFaultsInARow = 10;
/** How long the addresses of the proxy are known. */
const addressesMs = 5_000;
const keepAliveProbeMs = 60_000;
/** The answer to CONNECT has at most this many bytes, informational ones included. */
const maxHeadBytes = 16_384;

/** Opens tunnels through one proxy. */
export class Proxy {
  /** Whether CONNECT names the host, which the proxy then resolves. */
  readonly sendsNames: boolean;
  readonly #options: ProxyOptions;
  readonly #server: ProxyServer;
  readonly #checkAfterMs: number;
  readonly #checkTimeoutMs: number;
  #isAvailable = true;
  #backoffMs = minBackoffMs;
  #faultsInARow = 0;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<boolean> | undefined;
  /** When the proxy last answered CONNECT or reacted to a check, in milliseconds of `performance.now()`. */
  #reactedAt = -Infinity;
  #isClosed = false;

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.sendsNames = options.sendsNames;
    this.#server = new ProxyServer(options.url, options.trust);
    this.#checkAfterMs = Math.min(maxCheckAfterMs, options.timeoutMs / 4);
    this.#checkTimeoutMs = Math.min(maxCheckTimeoutMs, options.timeoutMs / 4);
  }

  /** False while the proxy is suspended: every tunnel fails at once by a general fault. */
  get isAvailable(): boolean {
    return this.#isAvailable;
  }

  /** Asks for a tunnel. @param host a name, or an address without brackets */
  open(host: string, port: number): Tunnel {
    const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
    return new Tunnel({
      server: this.#isAvailable ? this.#server : undefined,
      target,
      checkAfterMs: this.#checkAfterMs,
      check: () => void this.#check(),
      worked: () => this.#worked(),
      failed: (reason, code) => this.#failed(reason, code),
    });
  }

  /**
   * Decides whose fault it is that none of these tunnels, all to one receiver, opened in time.
   * @returns undefined if it is the receiver's: the proxy reacted after it had been silent for a while, or there was no
   *   time for a check
   */
  expired(tunnels: readonly Tunnel[]): ProxyFault | undefined {
    const checked = tunnels.filter(({ checkedAt }) => checkedAt !== undefined);
    const isReceiver = checked.some(
      ({ asked, checkedAt = Infinity }) => asked && this.#reactedAt >= checkedAt,
    );
    if (checked.length === 0 || isReceiver) return undefined;
    return this.#failed(checked.some(({ asked }) => asked) ? 'silent' : 'unreachable');
  }

  /** Ends the checks. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #worked(): void {
    this.#reactedAt = performance.now();
    this.#faultsInARow = 0;
    this.#backoffMs = minBackoffMs;
    if (!this.#isAvailable) this.#resume();
  }

  #failed(reason: ProxyFaultReason, code?: string): ProxyFault {
    this.#faultsInARow += 1;
    const isCertain = reason === 'unreachable' || reason === 'silent';
    const isGeneral = isCertain || this.#faultsInARow >= maxFaultsInARow;
    const fault = new ProxyFault(reason, isGeneral, code);

    this.#options.onFault(fault);
    if (isGeneral && this.#isAvailable && !this.#isClosed) {
      this.#isAvailable = false;
      this.#scheduleCheck();
    }

    return fault;
  }

  #resume(): void {
    clearTimeout(this.#timer);
    this.#isAvailable = true;
    this.#options.onAvailable();
  }

  /** The backoff ends only when the proxy answers CONNECT: it may react to checks and still refuse all tunnels. */
  #scheduleCheck(): void {
    const backoffMs = this.#backoffMs;
    this.#backoffMs = Math.min(2 * backoffMs, maxBackoffMs);

    this.#timer = setTimeout(() => {
      void this.#check().then((reacts) => {
        if (this.#isAvailable || this.#isClosed) return;
        if (reacts) this.#resume();
        else this.#scheduleCheck();
      });
    }, backoffMs);
  }

  /** Checks whether the proxy reacts; one check at a time. Never throws. */
  #check(): Promise<boolean> {
    const startedAt = performance.now();
    this.#checking ??= awaitReaction(this.#server, this.#checkTimeoutMs).then((fault) => {
      this.#checking = undefined;
      if (fault === undefined) this.#reactedAt = performance.now();
      if (this.#reactedAt >= startedAt) return true;

      this.#failed(fault?.reason ?? 'silent', fault?.code);
      return false;
    });
    return this.#checking;
  }
}

interface TunnelOptions {
  /** Undefined while the proxy is suspended. */
  readonly server: ProxyServer | undefined;
  /** Host and port of the receiver, as CONNECT names them. */
  readonly target: string;
  readonly checkAfterMs: number;
  /** Called when the proxy has been silent for `checkAfterMs`. */
  readonly check: () => void;
  /** Called when the proxy has answered, with whatever says that it works. */
  readonly worked: () => void;
  readonly failed: (reason: ProxyFaultReason, code?: string) => ProxyFault;
}

/**
 * One tunnel to a receiver. Emits `connect` when it is open, or `error` with a {@link ProxyFault} or a
 * {@link ProxyRefusal}; nothing after `destroy`.
 */
export class Tunnel extends EventEmitter<{ connect: []; error: [Error] }> {
  /** Whether CONNECT was sent. */
  asked = false;
  /** When a check of the silent proxy began, in milliseconds of `performance.now()`. */
  checkedAt: number | undefined;
  readonly #options: TunnelOptions;
  readonly #socket: Socket | undefined;
  readonly #checkTimer: NodeJS.Timeout | undefined;
  #head = '';
  #headBytes = 0;
  #ended = false;

  constructor(options: TunnelOptions) {
    super();
    this.#options = options;

    const { server, target, checkAfterMs, check } = options;
    if (!server) {
      // As a socket does: whoever opens it listens only after this call.
      queueMicrotask(() => this.#end(new ProxyFault('unreachable', true)));
      return;
    }

    const socket = server.connect();
    this.#socket = socket;
    this.#checkTimer = setTimeout(() => {
      this.checkedAt = performance.now();
      check();
    }, checkAfterMs);

    socket.once(server.connectedEvent, () => {
      this.asked = true;
      socket.write(server.request(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n`));
    });
    socket.on('data', this.#receive);
    socket.on('error', this.#fail);
    socket.on('close', this.#fail);
  }

  /** The open tunnel, for TLS. Whoever takes it destroys it. */
  get socket(): Socket {
    if (!this.#socket) throw new Error('The tunnel is not open.');
    return this.#socket;
  }

  destroy(): void {
    this.#ended = true;
    clearTimeout(this.#checkTimer);
    this.#socket?.on('error', () => undefined).destroy();
  }

  readonly #receive = (chunk: Buffer): void => {
    if (this.#ended) return;
    this.#headBytes += chunk.length;
    this.#head += chunk.toString('latin1');

    let answer = answerOf(this.#head);
    while (answer !== undefined && answer.status >= 100 && answer.status < 200) {
      this.#head = answer.rest;
      answer = answerOf(this.#head);
    }

    if (answer !== undefined) this.#answered(answer);
    else if (this.#headBytes > maxHeadBytes || !mayBeAnswer(this.#head)) this.#malformed();
  };

  #answered({ status, announcesBody, rest }: ConnectAnswer): void {
    const { worked, failed } = this.#options;
    // Tinyproxy refuses wrong credentials with 401.
    if (status === 407 || status === 401) this.#end(failed('credentials', `status ${status}`));
    // A web server, which has sent a page.
    else if (status >= 200 && status < 300 && announcesBody && rest !== '') this.#malformed();
    else if (status >= 200 && status < 300) {
      worked();
      this.#opened(rest);
    } else {
      worked();
      this.#end(new ProxyRefusal(status));
    }
  }

  #malformed(): void {
    this.#end(this.#options.failed('malformed'));
  }

  readonly #fail = (error?: Error | boolean): void => {
    if (this.#ended) return;
    const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
    this.#end(this.#options.failed(this.asked ? 'closed' : 'unreachable', code));
  };

  /** @param rest what a receiver said first. TLS refuses it, so it is no fault of the proxy */
  #opened(rest: string): void {
    this.#ended = true;
    clearTimeout(this.#checkTimer);
    // TLS reads the socket from here on; an error also reaches it.
    this.#socket?.off('data', this.#receive);
    if (rest !== '') this.#socket?.pause().unshift(Buffer.from(rest, 'latin1'));
    this.emit('connect');
  }

  #end(error: Error): void {
    if (this.#ended) return;
    this.destroy();
    this.emit('error', error);
  }
}

interface ConnectAnswer {
  readonly status: number;
  /** Whether the head has what no 2xx to CONNECT may have. */
  readonly announcesBody: boolean;
  /** What follows the head, as Latin-1. */
  readonly rest: string;
}

const answerHead = /^HTTP\/1\.[01] (\d{3})(?: [^\r\n]*)?\r\n(?:[^\r\n]+\r\n)*\r\n/;
const answerStart = /^HTTP\/1\.[01] \d{3}[ \r]/;
const bodyHeader = /^(?:content-length|transfer-encoding):/im;
const bareLineFeed = /(?:^|[^\r])\n/;

/** @returns undefined if the head is incomplete or malformed */
function answerOf(text: string): ConnectAnswer | undefined {
  if (!text.includes('\r\n\r\n')) return undefined;
  const [head, status] = answerHead.exec(text) ?? [];
  if (head === undefined) return undefined;
  return {
    status: Number(status),
    announcesBody: bodyHeader.test(head),
    rest: text.slice(head.length),
  };
}

/** Whether more bytes could complete a head. */
function mayBeAnswer(text: string): boolean {
  if (text.includes('\r\n\r\n') || bareLineFeed.test(text)) return false;
  return text.length < 13 || answerStart.test(text);
}

/** Connects to a proxy. */
class ProxyServer {
  readonly connectedEvent: 'connect' | 'secureConnect';
  readonly #trust: SecureContext;
  readonly #host: string;
  readonly #port: number;
  readonly #authorization: string;
  #addresses:
    | { readonly until: number; readonly found: Promise<{ address: string; family: number }[]> }
    | undefined;

  /** @param url with user and password if the proxy needs them */
  constructor(url: string, trust: SecureContext) {
    const { protocol, hostname, port, username, password } = new URL(url);
    const isSecure = protocol === 'https:';
    this.connectedEvent = isSecure ? 'secureConnect' : 'connect';
    this.#trust = trust;
    this.#host = hostname.replace(/^\[|\]$/g, '');
    this.#port = port === '' ? (isSecure ? 443 : 80) : Number(port);

    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    const basic = Buffer.from(credentials).toString('base64');
    this.#authorization = credentials === ':' ? '' : `Proxy-Authorization: Basic ${basic}\r\n`;
  }

  /** Adds the credentials and the end to a head. */
  request(head: string): string {
    return `${head}${this.#authorization}\r\n`;
  }

  /** Opens a connection, which is ready at {@link connectedEvent}. */
  connect(): Socket {
    const options: TcpSocketConnectOpts = {
      host: this.#host,
      port: this.#port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: keepAliveProbeMs,
      lookup: this.#lookup,
    };
    if (this.connectedEvent === 'connect') return connect(options);

    return connectTls({
      ...options,
      secureContext: this.#trust,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(this.#host) === 0 && { servername: this.#host }),
    });
  }

  /** Asks the operating system, whose answer all connections of a few seconds share. */
  readonly #lookup: LookupFunction = (host, { all }, found) => {
    const now = performance.now();
    if (!this.#addresses || now >= this.#addresses.until) {
      this.#addresses = { until: now + addressesMs, found: lookup(host, { all: true }) };
    }

    this.#addresses.found.then(
      (addresses) => {
        const [first] = addresses;
        if (all) found(null, addresses);
        else found(null, first?.address ?? '', first?.family);
      },
      (error: unknown) => found(error as NodeJS.ErrnoException, ''),
    );
  };
}

/** Whether the proxy at `url` reacts. Never throws. @returns its fault if there is no reaction within 5 seconds */
export async function checkProxy(
  url: string,
  trust: SecureContext,
): Promise<ProxyFault | undefined> {
  const fault = await awaitReaction(new ProxyServer(url, trust), maxCheckTimeoutMs);
  return fault && new ProxyFault(fault.reason, true, fault.code);
}

interface MissingReaction {
  readonly reason: 'unreachable' | 'silent';
  readonly code?: string | undefined;
}

/** Requests that a proxy answers alone. With a Host, tinyproxy would connect to that. */
const checks = [
  'OPTIONS * HTTP/1.0\r\n',
  // For a proxy that is silent about all other methods. Nobody listens at this port of its machine.
  'CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: 127.0.0.1:1\r\n',
];

/** Asks a proxy something that it answers alone. Never throws. */
async function awaitReaction(
  server: ProxyServer,
  timeoutMs: number,
): Promise<MissingReaction | undefined> {
  for (const check of checks) {
    const missing = await awaitReactionTo(server, check, timeoutMs);
    if (missing?.reason !== 'silent') return missing;
  }
  return { reason: 'silent' };
}

/** Any reaction will do, also a closed connection. Never throws. */
function awaitReactionTo(
  server: ProxyServer,
  head: string,
  timeoutMs: number,
): Promise<MissingReaction | undefined> {
  return new Promise((resolve) => {
    const socket = server.connect();
    let connected = false;

    const end = (missing?: MissingReaction) => {
      clearTimeout(timer);
      socket.on('error', () => undefined).destroy();
      resolve(missing);
    };

    const timer = setTimeout(() => {
      // A process that stood still reads what has arrived meanwhile.
      setImmediate(() => end({ reason: connected ? 'silent' : 'unreachable' }));
    }, timeoutMs);
    const closed = (error?: NodeJS.ErrnoException) =>
      connected ? end() : end({ reason: 'unreachable', code: error?.code });

    socket.once(server.connectedEvent, () => {
      connected = true;
      socket.write(server.request(head));
    });
    socket.once('data', () => end());
    socket.once('error', closed);
    socket.once('close', () => closed());
  });
}
