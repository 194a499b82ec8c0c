import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from '../process/log.js';
import { respondToParseError, type ParseError } from './parse-errors.js';

/** Where a listener listens. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly origin: string;
  readonly log: Logger;
}

/** A listener that takes requests. */
export interface Listening {
  /** As in `http://127.0.0.1:8080`. */
  readonly address: string;
  /**
   * Tells clients to leave: from now on each response says `Connection: close`, those under way too. Takes
   * requests for `durationMs`, and for a moment at least while connections are open.
   */
  drain(durationMs: number): Promise<void>;
  /** Takes no more connections and waits for the requests under way. */
  close(): Promise<void>;
}

/** Times for one request to arrive; a load balancer keeps its connections for less than ours. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
const keepAliveTimeoutMs = 65_000;
const checkEveryMs = 1_000;
const idleCheckMs = 50;
/** A client that sends again and again hears in it that it has to leave. */
const minDrainMs = 250;

/** Starts an HTTP server whose every refusal, the parser's included, is a Problem. */
export async function listen(
  listener: RequestListener,
  options: ListenOptions,
): Promise<Listening> {
  const { host, port, origin, log } = options;
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: checkEveryMs,
    // Refused by us, with a Problem.
    requireHostHeader: false,
  });
  // All headers together have 16 KiB; by count Node would leave some out without a word.
  server.maxHeadersCount = 0;
  let closing = false;
  const inFlight = new Set<ServerResponse>();
  const serve: RequestListener = (request, response) => {
    if (closing) response.setHeader('Connection', 'close');
    inFlight.add(response);
    response.once('close', () => inFlight.delete(response));
    listener(request, response);
  };
  server.on('request', serve);
  // An expectation that we do not know is ignored, as RFC 9110 §10.1.1 allows.
  server.on('checkExpectation', serve);
  const rejectUnparsed = (parseError: ParseError, socket: Duplex) => {
    const response = respondToParseError(parseError, socket, origin);
    if (response) log.info({ request_id: response.requestId, code: response.code }, 'not parsed');
  };
  server.on('clientError', rejectUnparsed);
  // No proxy: a tunnel is not opened, and the client is told so.
  server.on('connect', (_request, socket) => rejectUnparsed(new Error('CONNECT'), socket));
  await bind(server, port, host);
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    async drain(durationMs) {
      closing = true;
      for (const response of inFlight) {
        if (!response.headersSent) response.setHeader('Connection', 'close');
      }
      const drainMs = (await isConnected(server)) ? Math.max(durationMs, minDrainMs) : durationMs;
      await new Promise((resolve) => setTimeout(resolve, drainMs));
    },
    close: () => {
      closing = true;
      return new Promise((resolve) => {
        // A connection whose request was under way becomes idle later than this call.
        const idleCheck = setInterval(() => server.closeIdleConnections(), idleCheckMs);
        server.close(() => {
          clearInterval(idleCheck);
          resolve();
        });
        server.closeIdleConnections();
      });
    },
  };
}

function isConnected(server: Server): Promise<boolean> {
  return new Promise((resolve) =>
    server.getConnections((error, count) => resolve(error !== null || count > 0)),
  );
}

function bind(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
