import { once } from 'node:events';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import Stripe from 'stripe';
import { Webhook } from 'standardwebhooks';
import { testAuthority, type CertificateOptions } from './authority.js';
import { answer, type Behaviour } from './behaviours.js';

/** A request that the receiver read. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  /** The headers by name in lower case; repeated ones are joined as in Node. */
  readonly headers: Readonly<Record<string, string>>;
  /** The names of the headers as they were sent. */
  readonly headerNames: readonly string[];
  readonly body: Buffer;
  /** The time at which the request was complete, in ms since 1970. */
  readonly at: number;
  /** The number of its connection, from 1. */
  readonly connection: number;
  /** The address of the client. */
  readonly from: string;
  /** The status of the response, if there was one. */
  answered?: number;
}

export interface ReceiverOptions {
  readonly certificate?: CertificateOptions;
  readonly tls?: ServerOptions;
  /** Address to listen on. Defaults to 127.0.0.1. */
  readonly host?: string;
  /** Defaults to a free port. */
  readonly port?: number;
}

/** A scripted HTTPS receiver on a free port of this machine. */
export interface Receiver {
  readonly port: number;
  /** Returns its URL; `path` and `host` default to / and 127.0.0.1. */
  url(path?: string, host?: string): string;
  /** All requests so far, in order. */
  readonly requests: readonly ReceivedRequest[];
  /** The number of TCP connections so far, and of open ones. */
  readonly connections: { readonly accepted: number; readonly open: number };
  /** Queues behaviours, one per request. */
  script(...behaviours: Behaviour[]): void;
  /** Sets the behaviour for when the queue is empty. Defaults to 200. */
  always(behaviour: Behaviour): void;
  /** Chooses a behaviour by request; undefined leaves it to the queue. */
  choose(choice: (request: ReceivedRequest) => Behaviour | undefined): void;
  /** Waits for the first request that fits and that no earlier call returned. */
  next(fits?: (request: ReceivedRequest) => boolean): Promise<ReceivedRequest>;
  /** Closes every open connection; the receiver keeps listening. */
  dropConnections(): void;
  close(): Promise<void>;
}

/** Starts a receiver with a certificate of the authority of this test run. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { cert, key } = await (await testAuthority()).issue(options.certificate);
  const server = createServer({ cert, key, keepAliveTimeout: 60_000, ...options.tls });
  const requests: ReceivedRequest[] = [];
  const unreportedRequests: ReceivedRequest[] = [];
  const waiting: {
    fits: (r: ReceivedRequest) => boolean;
    notifyWaiters: (r: ReceivedRequest) => void;
  }[] = [];

  const queue: Behaviour[] = [];
  let fallback: Behaviour = answer(200);
  let choice: (request: ReceivedRequest) => Behaviour | undefined = () => undefined;
  const sockets = countConnections(server);
  server.on('request', (incoming, response) => {
    read(incoming, sockets.numberOf(incoming.socket)).then((request) => {
      requests.push(request);
      const index = waiting.findIndex(({ fits }) => fits(request));
      if (index >= 0) waiting.splice(index, 1)[0]?.notifyWaiters(request);
      else unreportedRequests.push(request);
      const behaviour = choice(request) ?? queue.shift() ?? fallback;
      return perform(behaviour, incoming, response).finally(() => {
        if (response.headersSent) request.answered = response.statusCode;
      });
    }, ignore);
  });

  await once(server.listen(options.port ?? 0, options.host ?? '127.0.0.1'), 'listening');

  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: (path = '/', host = options.host ?? '127.0.0.1') => `https://${host}:${port}${path}`,
    requests,
    get connections() {
      return { accepted: sockets.accepted, open: sockets.open.size };
    },
    script: (...behaviours) => void queue.push(...behaviours),
    always: (behaviour) => void (fallback = behaviour),
    choose: (chosen) => void (choice = chosen),
    next: (fits = () => true) => {
      const index = unreportedRequests.findIndex(fits);
      const [request] = index >= 0 ? unreportedRequests.splice(index, 1) : [];
      return request
        ? Promise.resolve(request)
        : new Promise((notifyWaiters) => waiting.push({ fits, notifyWaiters }));
    },
    dropConnections: () => sockets.open.forEach((socket) => socket.destroy()),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets.open) socket.destroy();
      }),
  };
}

function ignore(): void {
  // Interrupted requests and responses are part of many tests.
}

async function perform(
  behaviour: Behaviour,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.on('error', ignore);
  await behaviour(incoming, response);
}

async function read(incoming: IncomingMessage, connection: number): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers as Record<string, string>,
    headerNames: incoming.rawHeaders.filter((_, index) => index % 2 === 0),
    body: Buffer.concat(chunks),
    at: Date.now(),
    connection,
    from: incoming.socket.remoteAddress ?? '',
  };
}

function countConnections(server: Server) {
  const open = new Set<Socket>();
  const numbers = new WeakMap<Socket, number>();
  const counted = { accepted: 0, secure: 0 };
  server.on('connection', (socket: Socket) => {
    counted.accepted += 1;
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', ignore);
  });

  server.on('secureConnection', (socket: Socket) => {
    numbers.set(socket, ++counted.secure);
    socket.on('error', ignore);
  });

  server.on('tlsClientError', ignore);

  return {
    open,
    get accepted() {
      return counted.accepted;
    },
    numberOf: (socket: Socket) => numbers.get(socket) ?? 0,
  };
}

const stripe = new Stripe('sk_test_unused');

/** Whether each of the two signatures of a request is valid, by libraries that are not ours. */
interface Verified {
  /** `X-Service-Signature`, by the `stripe` package. */
  readonly service: boolean;
  /** `webhook-signature`, by the `standardwebhooks` package. */
  readonly standard: boolean;
}

/** Verifies a request with the signing secret of the endpoint; timestamps may differ by 5 min. */
export function verify(request: ReceivedRequest, secret: string): Verified {
  return {
    service: holds(() => {
      const header = request.headers['x-service-signature'] ?? '';
      stripe.webhooks.signature!.verifyHeader(request.body, header, secret, 300);
    }),
    standard: holds(() => {
      new Webhook(secret).verify(request.body, { ...request.headers });
    }),
  };
}

/**
 * Returns one copy of the request per signature, in order; each header of a copy has one signature.
 * @throws Error when the two headers have different numbers of signatures
 */
export function eachSignature(request: ReceivedRequest): ReceivedRequest[] {
  const [time = '', ...service] = (request.headers['x-service-signature'] ?? '').split(',');
  const standard = (request.headers['webhook-signature'] ?? '').split(' ');
  if (service.length !== standard.length)
    throw new Error('the two headers have different numbers of signatures');
  return service.map((signature, index) => {
    const only = {
      'x-service-signature': `${time},${signature}`,
      'webhook-signature': standard[index] ?? '',
    };
    return { ...request, headers: { ...request.headers, ...only } };
  });
}

function holds(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
