import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { KnownSecrets } from './known-secrets.js';
import { issueServerCertificate } from '../launcher/receiver-authority.js';
import { verifyDelivery, type Verification } from './verify.js';

/** More bytes than the body of any delivery has. */
const largestBody = 1_048_576;

/** One request as the receiver saw it. */
export interface ReceivedDelivery {
  readonly eventId: string;
  readonly eventType: string;
  readonly deliveryId: string;
  readonly attempt: number;
  readonly body: string;
  readonly verification: Verification;
}

export interface ReceiverOptions {
  /** The folder whose certificate authority the service trusts. */
  readonly dataDir: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Read at every request, so that secrets can be added later. */
  readonly secrets: readonly string[];
  /** Returns the secrets of now when a request fits none that is known. Must not fail. */
  readonly findSecrets?: () => Promise<readonly string[]>;
  /** Returns the status of the response; called once per request. */
  readonly answer: (delivery: ReceivedDelivery) => number;
}

/** A running receiver. */
export interface Receiver {
  /** The `url` of the endpoint to register. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts an HTTPS receiver on 127.0.0.1, for trials by hand. */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const secrets = new KnownSecrets(options.secrets, options.findSecrets);
  const server = createServer(
    await issueServerCertificate(options.dataDir),
    (request, response) => {
      receive(request, secrets).then(
        (delivery) => response.writeHead(delivery ? options.answer(delivery) : 400).end(),
        // The sender disconnected before the end of the body.
        () => response.destroy(),
      );
    },
  );
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function receive(
  request: IncomingMessage,
  secrets: KnownSecrets,
): Promise<ReceivedDelivery | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestBody) return undefined;
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  const header = (name: string) => String(request.headers[name] ?? '');
  return {
    eventId: header('x-service-event-id'),
    eventType: header('x-service-event-type'),
    deliveryId: header('x-service-delivery-id'),
    attempt: Number(header('x-service-attempt')),
    body: body.toString('utf8'),
    verification: await secrets.verify((known) =>
      verifyDelivery(request.headers, body, known, new Date()),
    ),
  };
}
