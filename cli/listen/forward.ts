import { drainBody, send } from '../api/http.js';
import { standardSignature } from '../../clients/typescript/src/verify.js';
import { serviceSignature } from '../signature.js';
import { version } from '../version.js';

/**
 * How long the local server may take to send its headers. The service waits 15 s by default; someone
 * with a debugger needs longer.
 */
const answerMs = 120_000;

/** An event of the stream. */
export interface StreamedEvent {
  readonly id: string;
  readonly type: string;
  readonly time: string;
  readonly test: boolean;
  /** The exact text to sign; undefined if the key may not read orders. */
  readonly body?: string;
}

/** An event with its body, which can be forwarded. */
export type ForwardableEvent = StreamedEvent & Required<Pick<StreamedEvent, 'body'>>;

export interface ForwardOptions {
  readonly target: URL;
  readonly secret: string;
  readonly verifyCertificate: boolean;
  /** Additional headers, which replace those of the delivery with the same name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal: AbortSignal;
  /** How long the response headers may take. Defaults to two minutes. */
  readonly idleMs?: number;
}

/** The response of the local server. */
export interface Forwarded {
  readonly status: number;
  /** Resolves when the connection is idle or closed, at most a second after the headers. */
  readonly ended: Promise<void>;
}

/**
 * Sends the event as the service sends a delivery, signed with the present time.
 * @returns the response as soon as its headers have arrived
 * @throws Failure 4 if none arrives in time
 */
export async function forward(
  event: ForwardableEvent,
  redelivered: boolean,
  { target, secret, verifyCertificate, headers = {}, signal, idleMs = answerMs }: ForwardOptions,
): Promise<Forwarded> {
  const body = Buffer.from(event.body);
  const response = await send(target, {
    method: 'POST',
    headers: merged(deliveryHeaders(event, redelivered, secret, body, new Date()), headers),
    body,
    idleMs,
    signal,
    verifyCertificate,
  });
  return { status: response.statusCode ?? 0, ended: drainBody(response) };
}

/** Header names are case-insensitive. */
function merged(
  sent: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = new Set(Object.keys(added).map((name) => name.toLowerCase()));
  const others = Object.entries(sent).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(others), ...added };
}

/** Returns the headers of a delivery, as a worker spells them, with both signatures. */
export function deliveryHeaders(
  event: Pick<StreamedEvent, 'id' | 'type'>,
  redelivered: boolean,
  secret: string,
  body: Buffer,
  at: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const service = serviceSignature(secret, timestamp, body).toString('hex');
  const standard = Buffer.from(standardSignature(secret, event.id, timestamp, body)).toString(
    'base64',
  );
  return {
    Accept: '*/*',
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': `signalpost-cli/${version}`,
    'X-Service-Signature': `t=${timestamp},v1=${service}`,
    'X-Service-Timestamp': timestamp,
    'X-Service-Event-Id': event.id,
    'X-Service-Event-Type': event.type,
    'X-Service-Delivery-Id': event.id.replace(/^evt_/, 'whd_listen_'),
    'X-Service-Attempt': '1',
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard}`,
    ...(redelivered && { 'Signalpost-Redelivered': 'true' }),
  };
}
