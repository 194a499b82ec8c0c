import { request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions, request as requestHttps } from 'node:https';
import { BlockList, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { readEnvironment } from '../environment.js';
import { exitCodes, Failure } from '../failure.js';
import { parseUrl } from '../parse-url.js';

/** How long a proxy may take to open a tunnel. */
const tunnelMs = 30_000;

/** What `send` asks a connection of its agent with. */
export interface TunnelOptions extends RequestOptions {
  /** Ends the wait for the tunnel. */
  readonly tunnelSignal?: AbortSignal | undefined;
}

let agent: TunnelAgent | undefined;

/**
 * Returns the agent for the proxy of HTTPS_PROXY; undefined where none is set, where NO_PROXY names the
 * host, and for loopback. Node 20 reads neither variable.
 * @throws Failure 2 for a proxy that is no URL of http or https
 */
export function proxyAgentFor(url: URL): HttpsAgent | undefined {
  const { httpsProxy, noProxy } = readEnvironment();
  if (httpsProxy === undefined || url.protocol !== 'https:') return undefined;
  if (isLoopback(url.hostname) || isExempt(url, noProxy ?? '')) return undefined;
  return (agent ??= new TunnelAgent(proxyUrl(httpsProxy)));
}

/** Whether the host is this machine. Its requests never go to a proxy. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|(?:.+\.)?localhost\.?|\[::1\]|127(?:\.\d+){3})$/.test(hostname);
}

/**
 * Whether an entry of NO_PROXY names the host: `*`, a name with all names below it, an address or a
 * range such as `10.0.0.0/8`, each with or without a port.
 */
export function isExempt({ hostname, port }: URL, noProxy: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, bracketed, plain, entryPort] =
        /^(?:\[(.+)\]|([^:]*|.*:.*:.*?))(?::(\d+))?$/.exec(entry) ?? [];
      const name = (bracketed ?? plain ?? '').replace(/^\*?\./, '').replace(/\.$/, '');
      if (name === '' || (entryPort !== undefined && entryPort !== (port || '443'))) return false;
      return name === '*' || name === host || host.endsWith(`.${name}`) || isInRange(host, name);
    });
}

function isInRange(host: string, range: string): boolean {
  const [address = '', bits = ''] = range.split('/');
  const family = isIP(host) === 6 ? 'ipv6' : 'ipv4';
  const isRange = isIP(host) !== 0 && isIP(host) === isIP(address) && /^\d{1,3}$/.test(bits);
  if (!isRange || Number(bits) > (family === 'ipv6' ? 128 : 32)) return false;

  const list = new BlockList();
  list.addSubnet(address, Number(bits), family);
  return list.check(host, family);
}

function proxyUrl(text: string): URL {
  const url = parseUrl(text.includes('://') ? text : `http://${text}`);
  if (url && ['http:', 'https:'].includes(url.protocol) && url.hostname !== '') return url;
  // Its text may hold a password.
  throw new Failure('HTTPS_PROXY must be a URL of http or https.', exitCodes.usage);
}

/** Opens each connection through a tunnel of the proxy (CONNECT), and TLS to the service inside it. */
class TunnelAgent extends HttpsAgent {
  readonly #proxy: URL;

  constructor(proxy: URL) {
    super({ keepAlive: true });
    this.#proxy = proxy;
  }

  override createConnection(
    options: TunnelOptions,
    connected?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const open = (socket: Socket) =>
      super.createConnection({ ...options, socket } as TunnelOptions);
    this.#openTunnel(options).then(
      (socket) => connected?.(null, open(socket) as Duplex),
      (error: unknown) => connected?.(error as Error, undefined as never),
    );
  }

  #openTunnel({ host, port, tunnelSignal }: TunnelOptions): Promise<Socket> {
    const to = `${isIP(host ?? '') === 6 ? `[${host}]` : host}:${port}`;
    const { protocol, origin, hostname, username, password } = this.#proxy;
    const credentials = `${decoded(username)}:${decoded(password)}`;
    return new Promise((resolve, reject) => {
      const failed = (reason: string) => reject(new Error(`proxy ${origin}: ${reason}`));
      const connecting = (protocol === 'https:' ? requestHttps : requestHttp)(origin, {
        method: 'CONNECT',
        path: to,
        timeout: tunnelMs,
        signal: tunnelSignal,
        // Node would take the name for TLS from the Host header, which is that of the service.
        servername: isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : '',
        agent: false,
        headers: {
          Host: to,
          ...(credentials !== ':' && {
            'Proxy-Authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
          }),
        },
      });
      connecting.once('connect', ({ statusCode = 0 }, socket) => {
        if (statusCode >= 200 && statusCode < 300) resolve(socket.setTimeout(0));
        else {
          socket.destroy();
          failed(`status ${statusCode}`);
        }
      });
      connecting.once('timeout', () => connecting.destroy(new Error('no answer for 30 s')));
      connecting.once('error', ({ message }) => failed(message));
      connecting.end();
    });
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
