import { builtInSchema } from '../event-type/built-in.js';
import type { ValidateData } from '../event-type/compile-schema.js';
import {
  type EventTypeVersionContent,
  readSchemas,
  type SchemasOfType,
} from '../event-type/definitions.js';
import { nextTurn } from '../next-turn.js';
import type { Read } from '../tx.js';
import type { Mentions } from './mentions.js';
import { redactMentions, redactSale, redactTexts } from './redact.js';

type Data = Readonly<Record<string, unknown>>;

/** The stored envelope of an event. */
interface Envelope {
  readonly type: string;
  readonly subject: string;
  readonly eventversion: string;
  readonly data: Data;
  /** CloudEvents extension: when personal data was erased from the event. */
  readonly erasedat?: string;
}

/** An event without the personal data of a buyer. */
export interface RedactedEvent {
  readonly subject: string;
  readonly body: Buffer;
}

/** How {@link redactEvent} finds the buyer. */
export interface EventRedaction {
  readonly mentions: Mentions;
  /** Whether the event is about a resource of the buyer, and does not only mention the address. */
  readonly isSale: boolean;
  readonly erasedAt: Date;
  /** The schemas of types that operators put, by type. */
  readonly schemas: ReadonlyMap<string, SchemasOfType>;
}

/**
 * Removes a buyer's personal data from the bytes of an event, which stay valid against the schema of
 * its type. The envelope then says when.
 * @returns undefined when there is nothing to remove
 */
export async function redactEvent(
  body: Buffer,
  redaction: EventRedaction,
): Promise<RedactedEvent | undefined> {
  const envelope = JSON.parse(body.toString()) as Envelope;
  const subject = redactMentions(envelope.subject, redaction.mentions) as string;
  const data = await redactData(envelope, redaction);
  if (subject === envelope.subject && JSON.stringify(data) === JSON.stringify(envelope.data)) {
    return undefined;
  }
  const erasedat = redaction.erasedAt.toISOString();
  return { subject, body: Buffer.from(JSON.stringify({ ...envelope, subject, erasedat, data })) };
}

async function redactData(
  { type, eventversion, data }: Envelope,
  { mentions, isSale, schemas }: EventRedaction,
): Promise<unknown> {
  if (builtInSchema(type, eventversion) !== undefined) {
    return isSale ? redactSale(data, mentions) : redactMentions(data, mentions);
  }
  const version = schemas.get(type)?.versions.find((each) => each.version === eventversion);
  // Names of members may be addresses: what is left of them is a mention.
  const redact = (example?: unknown) =>
    redactMentions(redactTexts(data, version?.schema, example), mentions);
  const texts = redact();
  if (!version) return texts;

  // Heavy data of many events would keep the worker from its other work.
  await nextTurn();
  const validate = await validatorOf(version);
  // Data that broke its schema before, of a type that only warns, may break it now. What is too slow
  // to compare breaks nothing that is known.
  const breaks = (candidate: unknown) =>
    validate(candidate).some(({ code }) => code !== 'schema_too_slow');
  if (!breaks(texts)) return texts;
  const fromExample = redact(version.example);
  return breaks(fromExample) ? version.example : fromExample;
}

/** Compiled once for all events of a step. */
const validators = new WeakMap<EventTypeVersionContent, ValidateData>();

async function validatorOf(version: EventTypeVersionContent): Promise<ValidateData> {
  const kept = validators.get(version);
  if (kept) return kept;

  // Loaded late: workers need them for nothing else.
  const { compilePattern } = await import('../event-type/patterns.js');
  const { compileSchema } = await import('../event-type/compile-schema.js');
  const validate = compileSchema(version.schema, compilePattern);
  validators.set(version, validate);
  return validate;
}

/** Reads the schemas that {@link redactEvent} needs for events of these types. */
export async function schemasOf(
  read: Read,
  types: Iterable<string>,
): Promise<ReadonlyMap<string, SchemasOfType>> {
  const found = await readSchemas(read, [...new Set(types)]);
  return new Map(found.map((each) => [each.id, each]));
}
