import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from '../process/log.js';
import { respondToParseError, type ParseError } from './parse-errors.js';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly origin: string;
  readonly log: Logger;
}

/** An open listener. */
export interface Listening {
  /** Such as `http://127.0.0.1:8080`. */
  readonly address: string;
  /**
   * Asks clients to disconnect: each response from now on has `Connection: close`, also those in
   * progress. It serves requests for `durationMs`, and for at least 250 ms while connections are
   * open.
   */
  drain(durationMs: number): Promise<void>;
  /** Accepts no more connections and waits for the requests in progress. */
  close(): Promise<void>;
}

/**
 * Timeouts for the arrival of a request. Load balancers must close idle connections before
 * keepAliveTimeoutMs.
 */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
const keepAliveTimeoutMs = 65_000;
const checkEveryMs = 1_000;
const idleCheckMs = 50;
/** A client that sends requests continuously sees `Connection: close` within this time. */
const minDrainMs = 250;

/** Starts an HTTP server. Each error is a Problem, also one of the parser. */
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
    // The app refuses it with a Problem.
    requireHostHeader: false,
  });

  // The limit is 16 KiB for all headers. With a maximum count, Node would drop headers silently.
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

  // Ignores unknown expectations, as RFC 9110 §10.1.1 allows.
  server.on('checkExpectation', serve);

  const rejectUnparsed = (parseError: ParseError, socket: Duplex) => {
    const response = respondToParseError(parseError, socket, origin);
    if (response)
      log.info({ request_id: response.requestId, code: response.code }, 'malformed request');
  };

  server.on('clientError', rejectUnparsed);

  // This is no proxy: it refuses CONNECT with a Problem.
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
        // A connection becomes idle only after its response, which can be after this call.
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
