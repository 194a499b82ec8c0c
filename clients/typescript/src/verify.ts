// Verifies what the service sends to a receiver, by the headers of Standard Webhooks.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { components, webhooks } from './generated/types.js';

/** The largest accepted difference between the time of a signature and now. */
export const toleranceSeconds = 300;

type Schemas = components['schemas'];
type EventData = {
  [Name in keyof Schemas as Name extends `${infer Type}.v1` ? Type : never]: Schemas[Name];
};

/** An event of any type, also of one that this version does not know. */
export type Event = Schemas['EventEnvelope'];
/** The types that come with the service. */
export type EventType = keyof EventData & keyof webhooks;
/** An event of a type that comes with the service, in version v1. */
export type EventOf<Type extends EventType> = Omit<Event, 'type' | 'data' | 'eventversion'> & {
  type: Type;
  eventversion: 'v1';
  data: EventData[Type];
};

/** Whether an event has this type, in the version whose data the types describe. */
export function isEvent<Type extends EventType>(event: Event, type: Type): event is EventOf<Type> {
  return event.type === type && event.eventversion === 'v1';
}

interface FetchHeaders {
  get(name: string): string | null;
}

/** The headers of a request, of `node:http` or in another object with names in any case, or of `fetch`. */
export type ReceivedHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | FetchHeaders;

/**
 * What is wrong with a request:
 * - `secret_format`: the secret is not `whsec_` and base64; the request was not looked at
 * - `missing_header`: `webhook-id`, `webhook-timestamp` or `webhook-signature`
 * - `malformed_timestamp`: `webhook-timestamp` is not Unix seconds
 * - `unknown_version`: `webhook-signature` has no complete signature of version `v1`
 * - `no_match`: no signature is right for a secret and these bytes
 * - `too_old`, `too_new`: the signature is right, its time is more than five minutes away
 * - `malformed_body`: the signature is right, the body is not a JSON object
 */
export type VerificationReason =
  | 'secret_format'
  | 'missing_header'
  | 'malformed_timestamp'
  | 'unknown_version'
  | 'no_match'
  | 'too_old'
  | 'too_new'
  | 'malformed_body';

/** A request did not come from the service, or not now. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';

  constructor(
    readonly reason: VerificationReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Verifies a request and returns its event.
 * @param body the raw bytes, before any JSON parser; a text is taken as UTF-8
 * @param secret the signing secret of the endpoint, `whsec_…`; several during a rotation
 * @param now Unix milliseconds; defaults to the clock
 * @throws VerificationError that names what is wrong
 */
export function verify(
  body: Uint8Array | string,
  headers: ReceivedHeaders,
  secret: string | readonly string[],
  now = Date.now(),
): Event {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (secrets.length === 0 || !secrets.every(isSecret)) {
    fail('secret_format', 'A signing secret is whsec_ and base64: is this one cut off, or a key?');
  }

  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signature = headerOf(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp)) {
    fail('malformed_timestamp', 'webhook-timestamp is not a time in Unix seconds.');
  }

  const signatures = parseSignatures(signature);
  if (signatures.length === 0) {
    fail('unknown_version', 'webhook-signature has no complete signature of version v1.');
  }

  const expected = secrets.map((one) => standardSignature(one, id, timestamp, body));
  if (!signatures.some((given) => expected.some((right) => timingSafeEqual(given, right)))) {
    fail(
      'no_match',
      'No signature matches: the secret is that of another endpoint, or the body is not the raw bytes that arrived.',
    );
  }

  const age = Math.floor(now / 1_000) - Number(timestamp);
  if (age > toleranceSeconds) fail('too_old', `The signature is right, but ${age} s old.`);
  if (age < -toleranceSeconds) {
    fail('too_new', `The signature is right, but ${-age} s in the future: check the clock.`);
  }

  return parseEvent(body);
}

function fail(reason: VerificationReason, message: string, cause?: unknown): never {
  throw new VerificationError(reason, message, cause === undefined ? undefined : { cause });
}

/** Whether a text has the form of a signing secret. Base64 never has one character more than groups of four. */
export function isSecret(text: string): boolean {
  return /^whsec_(?:[A-Za-z0-9+/_-]{4})*[A-Za-z0-9+/_-]{2,4}={0,2}$/.test(text);
}

/** Gateways change the case of names. */
function headerOf(headers: ReceivedHeaders, name: string): string {
  const value = isFetchHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1];
  const text = Array.isArray(value) ? value.join(' ') : value;
  if (typeof text === 'string' && text !== '') return text;
  return fail('missing_header', `The request has no ${name}.`);
}

function isFetchHeaders(headers: ReceivedHeaders): headers is FetchHeaders {
  return typeof headers['get'] === 'function';
}

/** Returns the complete signatures of version v1: an HMAC-SHA256 has 32 bytes. */
export function parseSignatures(header: string): Uint8Array[] {
  return header
    .split(/\s+/)
    .filter((part) => part.startsWith('v1,'))
    .map((part) => Buffer.from(part.slice(3), 'base64'))
    .filter(({ length }) => length === 32);
}

/** Signs as in `webhook-signature`: HMAC-SHA256 over `<id>.<t>.<body>`, keyed with the decoded secret. */
export function standardSignature(
  secret: string,
  id: string,
  timestamp: string,
  body: Uint8Array | string,
): Uint8Array {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}

function parseEvent(body: Uint8Array | string): Event {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch (cause) {
    fail('malformed_body', 'The body is not JSON.', cause);
  }
  if (typeof event === 'object' && event !== null) return event as Event;
  return fail('malformed_body', 'The body is not a JSON object.');
}
