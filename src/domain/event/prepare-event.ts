// Prepares events: validates them, gives them ids and writes their envelopes, without I/O.
//
// The bytes of the envelope are written once. They are stored, signed and sent unchanged with every attempt
// and replay.
import { DomainError, type Issue, notFound, validationFailed } from '../errors.js';
import { fingerprint } from '../values/canonical-json.js';
import { isId, makeId } from '../values/id.js';
import { jsonObjectIssues, singleLineIssues, textIssues } from '../values/text.js';

/** An event to publish. */
export interface PublishInput {
  /** A type of the catalogue, even one that is closed to new subscriptions. */
  readonly type: string;
  /** What the event is about, as in `order:ord_…`. */
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The version of the schema of `data`. Defaults to `v1`. */
  readonly version?: string | undefined;
  /** Makes one attempt per endpoint, which does not count for disabling. Defaults to false. */
  readonly test?: boolean | undefined;
  /** Publishes once per key and account, for 30 days. */
  readonly key?: string | undefined;
  /** Sends only to this endpoint, if it is active, even without a subscription. */
  readonly endpointId?: string | undefined;
}

/** An event to publish, with its account. */
export interface PublishRequest extends PublishInput {
  readonly accountId: string;
}

/** One call publishes at most this many events. */
const maxEvents = 1_000;

/**
 * Checks how many events one call publishes.
 * @throws DomainError validation_failed
 */
export function checkCount(events: readonly unknown[]): void {
  if (events.length === 0) {
    const detail = 'Must have at least 1 item.';
    throw validationFailed([{ code: 'too_few_items', detail, param: 'input' }]);
  }
  if (events.length > maxEvents) {
    const detail = `Must have at most ${maxEvents.toLocaleString('en')} items.`;
    throw validationFailed([{ code: 'too_many_items', detail, param: 'input' }]);
  }
}

/** The version of an event whose publisher names no version. */
const defaultVersion = 'v1';

/**
 * A valid event with the bytes to store. Only PostgreSQL knows whether its account and type exist and its key is free.
 */
export interface PreparedEvent {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  readonly version: string;
  /** The catalogue entry with which its data was compared; null if it needs no comparison. */
  readonly revision: string | null;
  readonly subject: string;
  readonly test: boolean;
  readonly endpointId: string | null;
  /** When it happened (RFC 3339). */
  readonly time: string;
  readonly body: Buffer;
  readonly key: PreparedKey | undefined;
  readonly traceparent: string | undefined;
}

/** The publish key of an event. */
interface PreparedKey {
  readonly text: string;
  /** Distinguishes other content under the same key, in hexadecimal digits. */
  readonly fingerprint: string;
}

/** When and under which base URL an event is prepared. */
export interface Preparation {
  readonly occurredAt: Date;
  /** `occurredAt` as text: formatting it for each event of a call would cost as much as its id. */
  readonly time: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The trace that publishes it, a valid `traceparent`. */
  readonly traceparent?: string | undefined;
}

/** Makes the {@link Preparation} of the events of one call. */
export function preparationAt(
  occurredAt: Date,
  baseUrl: string,
  traceparent?: string,
): Preparation {
  return { occurredAt, time: occurredAt.toISOString(), baseUrl, traceparent };
}

/**
 * Validates an event, gives it an id and writes its envelope.
 * @throws DomainError validation_failed
 * @throws DomainError not_found when no account can have this id
 */
export function prepareEvent(
  { occurredAt, time, baseUrl, traceparent }: Preparation,
  accountId: string,
  input: PublishInput,
): PreparedEvent {
  const { type, version = defaultVersion, subject, data, test = false, key } = input;
  const { endpointId = null } = input;

  if (!isId('acc', accountId)) throw notFound('account');

  const issues = issuesOf(input);
  if (issues.length > 0) throw validationFailed(issues);

  const id = makeId('evt', occurredAt);
  const body = envelopeBytes({ id, baseUrl, type, version, subject, time, test, data });
  if (body.length > maxBodyBytes) {
    const detail = `The event must be at most ${maxBodyBytes.toLocaleString('en')} bytes.`;
    throw validationFailed([{ code: 'too_long', detail, param: 'data' }]);
  }

  return {
    id,
    accountId,
    type,
    version,
    revision: null,
    subject,
    test,
    endpointId,
    time,
    body,
    key:
      key === undefined
        ? undefined
        : {
            text: key,
            fingerprint: keyFingerprint(type, version, { subject, data, test, endpointId }),
          },
    traceparent,
  };
}

/** Prepares an event like {@link prepareEvent}, but returns the error. */
export function tryPrepareEvent(
  preparation: Preparation,
  accountId: string,
  input: PublishInput,
): PreparedEvent | DomainError {
  try {
    return prepareEvent(preparation, accountId, input);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

function keyFingerprint(type: string, version: string, content: object): string {
  // `v1` is left out, so that fingerprints made before there were versions still match.
  const versioned = version === defaultVersion ? content : { ...content, version };
  return fingerprint('PUBLISH', type, versioned).toString('hex');
}

function issuesOf({ type, version, subject, data, key }: PublishInput): Issue[] {
  return [
    ...singleLineIssues('subject', subject, { min: 1, max: 255 }),
    ...jsonObjectIssues('data', data),
    ...(key === undefined ? [] : textIssues('key', key, { min: 1, max: 255 })),
    ...textIssues('type', type, { min: 1, max: 255 }),
    ...(version === undefined ? [] : textIssues('version', version, { min: 1, max: 255 })),
  ];
}

/** Names the key of an event uniquely among those of all accounts; ids contain no space. */
export function nameOfKey({ accountId, key }: PreparedEvent): string | undefined {
  return key && `${accountId} ${key.text}`;
}

/** The members of an event's envelope. `baseUrl` has no trailing slash. */
interface EnvelopeInput {
  readonly id: string;
  readonly baseUrl: string;
  readonly type: string;
  readonly version: string;
  readonly subject: string;
  /** When it happened (RFC 3339). */
  readonly time: string;
  readonly test: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The body of a delivery has at most this many bytes. */
export const maxBodyBytes = 256 * 1024;

/**
 * Writes the CloudEvents 1.0 envelope of an event in structured mode.
 */
export function envelopeBytes(input: EnvelopeInput): Buffer {
  const { id, baseUrl, type, version, subject, time, test, data } = input;
  return Buffer.from(
    JSON.stringify({
      specversion: '1.0',
      id,
      source: `${baseUrl}/v1/commerce`,
      type,
      subject,
      time,
      datacontenttype: 'application/json',
      dataschema: `${baseUrl}/schemas/events/${type}/${version}`,
      eventversion: version,
      test,
      data,
    }),
  );
}
