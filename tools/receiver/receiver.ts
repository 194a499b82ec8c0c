// The HTTPS receiver of `npm run receiver` and of the demo. It verifies signatures as receivers of customers do, from
// headers, raw body and secrets alone, and without the code that signs.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { issueServerCertificate } from '../launcher/receiver-authority.js';

/** One request as the receiver saw it. */
export interface ReceivedDelivery {
  readonly eventId: string;
  readonly eventType: string;
  readonly deliveryId: string;
  readonly attempt: number;
  readonly body: string;
  readonly verification: Verification;
}

interface ReceiverOptions {
  /** The folder whose certificate authority the service trusts. */
  readonly dataDir: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Read at every request, so that secrets can be added later. */
  readonly secrets: readonly string[];
  /** Returns all current secrets; called if no known secret verifies a request. Must not fail. */
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

/** The result of verifying a request; `reason` says what is wrong. */
type Verification =
  | { readonly verified: true }
  | { readonly verified: false; readonly reason: string };

/** Larger than the body of any delivery, in bytes. */
const largestBody = 1_048_576;

/** The largest difference between the time of a signature and now. */
const toleranceSeconds = 300;

/** Starts an HTTPS receiver on 127.0.0.1. */
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

/**
 * The secrets with which a receiver verifies. It looks for new ones if none verifies a request, so that the
 * first event of an endpoint that is registered later is verified, too.
 */
class KnownSecrets {
  #secrets: readonly string[];
  readonly #find: (() => Promise<readonly string[]>) | undefined;
  #looking: Promise<unknown> = Promise.resolve();

  /** @param find returns all current secrets; undefined if only the given ones count */
  constructor(secrets: readonly string[], find?: () => Promise<readonly string[]>) {
    this.#secrets = secrets;
    this.#find = find;
  }

  /**
   * Verifies with the known secrets, and if that fails, with those that exist now. One request at a time looks
   * for them; others then try what it found.
   * @param verify may be called with the same secrets again
   */
  async verify<T extends { readonly verified: boolean }>(
    verify: (secrets: readonly string[]) => T,
  ): Promise<T> {
    const result = verify(this.#secrets);
    const find = this.#find;
    if (result.verified || !find) return result;
    const looked = this.#looking.then(async () => {
      if (!verify(this.#secrets).verified) this.#secrets = await find();
    });
    this.#looking = looked.catch(() => undefined);
    await looked;
    return verify(this.#secrets);
  }
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

/**
 * Verifies `X-Service-Signature` as a receiver does: HMAC-SHA256 over `<t>.<raw body>`, keyed with the
 * whole secret string. Any `v1` may match any secret. Compares in constant time. The time `t` must be at
 * most 300 s away from `now`.
 * @param body the bytes as received
 * @param secrets the endpoint's signing secrets, `whsec_…`
 * @param now the time of the receiver
 */
function verifyDelivery(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secrets: readonly string[],
  now: Date,
): Verification {
  const header = headers['x-service-signature'];
  if (typeof header !== 'string') return refused('missing signature');
  if (secrets.length === 0) return refused('no --secret given');

  const parts = header.split(',').map((part) => part.split('=', 2) as [string, string?]);
  const time = parts.find(([name]) => name === 't')?.[1];
  if (time === undefined) return refused('signature has no timestamp');

  if (Math.abs(now.getTime() / 1_000 - Number(time)) > toleranceSeconds) {
    return refused('signature too old');
  }

  const signatures = parts.filter(([name]) => name === 'v1').map(([, value]) => value ?? '');
  const matches = secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
    return signatures.some((value) => sameBytes(Buffer.from(value, 'hex'), expected));
  });
  return matches ? { verified: true } : refused('signature does not match secret and body');
}

function refused(reason: string): Verification {
  return { verified: false, reason };
}

function sameBytes(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
