// Replaces the personal data of a buyer in texts, JSON and events, and finds where they mention the address.
import { builtInSchema } from '../event-type/built-in.js';
import type { ValidateData } from '../event-type/compile-schema.js';
import {
  type EventTypeVersionContent,
  readSchemas,
  type SchemasOfType,
} from '../event-type/definitions.js';
import { nextTurn } from '../next-turn.js';
import type { Read } from '../transaction/tx.js';
import { mailboxOf } from '../values/email.js';

/** Replaces an erased address. Its domain cannot exist (RFC 2606). */
export const erasedEmail = 'erased@erased.invalid';

/** Replaces an erased text that cannot be empty. */
export const erasedText = 'erased';

/** The name of an erased account. */
export const erasedAccountName = 'Erased account';

/** In SQL: a buyer without personal data, but with the country, because taxes depend on it. */
export function erasedBuyer(buyer: string): string {
  return `json_build_object('email', '${erasedEmail}', 'name', null, 'country', ${buyer} -> 'country')`;
}

/** Finds mentions of an e-mail address: as it is or percent-encoded, in any spelling of its domain. */
export interface Mentions {
  /**
   * A case-insensitive pattern for PostgreSQL. It matches every text and JSON that mentions the address, and also texts
   * that mention another address with the same end of the local part.
   */
  readonly pattern: string;
  /** Returns the first mention in a text. */
  find(text: string): string | undefined;
  /** Whether JSON mentions it. */
  isIn(json: string): boolean;
}

/**
 * A longer address that contains this one is another address. A letter outside ASCII ends it: some languages put
 * no space before the next word. A mark belongs to the letter before it.
 */
const before = '(?<![A-Za-z0-9._+-])';
const after = String.raw`(?![A-Za-z0-9-]|\p{M}|[.][A-Za-z0-9])`;

/** Letters outside ASCII may be percent-encoded. */
const letter = String.raw`(?:[\p{L}\p{M}\p{Nd}_-]|%[89A-Fa-f][\dA-Fa-f])`;

/** The last label of a domain has at most this many characters, even if each of its bytes is percent-encoded. */
const maxLastLabel = 600;

/** Finds mentions of an address. */
export function mentionsOf(email: string): Mentions {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  const domain = email.slice(at + 1);
  const pattern = `(?:${formsOf(local)})(?:@|%40)`;
  const start = new RegExp(before + pattern, 'gi');
  const form = mailboxOf(`@${domain}`);
  const asGiven = new RegExp(`(?:${formsOf(domain, form.slice(1))})${after}`, 'iuy');
  const labels = form.split('.').length;
  const upToLastLabel = new RegExp(`(?:${letter}+[.]){${labels - 1}}`, 'uy');
  const lastLabel = new RegExp(`${letter}{1,${maxLastLabel}}`, 'uy');
  const end = new RegExp(after, 'uy');

  const otherSpelling = (text: string, place: number): string | undefined => {
    const first = matchAt(upToLastLabel, text, place);
    if (first === undefined) return undefined;
    const last = matchAt(lastLabel, text, place + first.length) ?? '';

    for (let length = last.length; length > 0; length -= 1) {
      const spelling = first + last.slice(0, length);
      if (matchAt(end, text, place + spelling.length) === undefined) continue;
      if (mailboxOf(`@${decode(spelling)}`) === form) return spelling;
    }
    return undefined;
  };

  const find = (text: string): string | undefined => {
    for (const { 0: beginning, index } of text.matchAll(start)) {
      const place = index + beginning.length;
      const spelling = matchAt(asGiven, text, place) ?? otherSpelling(text, place);
      if (spelling !== undefined) return beginning + spelling;
    }
    return undefined;
  };

  // The letter of an escaped control character does not belong to an address.
  const isIn = (json: string) => find(json.replace(/\\(?:u[\dA-Fa-f]{4}|.)/g, ' ')) !== undefined;

  return { pattern, find, isIn };
}

/** Returns what a sticky pattern matches at a place; undefined if it matches nothing there. */
function matchAt(pattern: RegExp, text: string, place: number): string | undefined {
  pattern.lastIndex = place;
  return pattern.exec(text)?.[0];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Bytes that are not UTF-8 cannot be a domain.
    return text;
  }
}

function formsOf(...texts: string[]): string {
  const forms = texts.flatMap((text) => [text, encodeURIComponent(text)]);
  return [...new Set(forms)].map(escapePattern).join('|');
}

/** Escapes the characters that have a meaning in a pattern. */
function escapePattern(text: string): string {
  return text.replace(/[.*+?^$|{}()[\]\\]/g, String.raw`\$&`);
}

type Json = unknown;
type JsonObject = Readonly<Record<string, unknown>>;

/** Replaces every text that mentions the address, and keeps the rest of the value. */
export function redactMentions(value: Json, mentions: Mentions): Json {
  return mapTexts(value, (text) => redactText(text, mentions));
}

/** Replaces a text that mentions the address by another address, another URL or a word. */
export function redactText(text: string, mentions: Mentions): string {
  const mention = mentions.find(text);
  if (mention === undefined) return text;
  if (mention.length === text.length) return erasedEmail;
  return /^https?:\/\//i.test(text) ? 'https://erased.invalid/' : erasedText;
}

/**
 * Redacts what the service writes about a sale to the buyer: data of its built-in event types, and responses of `/v1`.
 * In these the names of the members with personal data are known.
 */
export function redactSale(value: Json, mentions: Mentions): Json {
  if (Array.isArray(value)) return value.map((item) => redactSale(item, mentions));
  if (!isObject(value)) return redactMentions(value, mentions);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      redactMember(value, name, member, mentions),
    ]),
  );
}

function redactMember(of: JsonObject, name: string, member: Json, mentions: Mentions): Json {
  switch (name) {
    case 'buyer':
      return isObject(member) ? { ...member, email: erasedEmail, name: null } : member;
    case 'buyer_email':
    case 'recipient_email':
      return typeof member === 'string' ? erasedEmail : member;
    case 'metadata':
      return isObject(member) ? {} : member;
    case 'message':
    case 'note':
      return null;
    case 'title':
      return of['object'] === 'offer' ? erasedText : member;
    default:
      return redactSale(member, mentions);
  }
}

/**
 * Replaces every text in data whose meaning only the operator knows. Keeps numbers, ids of this service, timestamps and
 * texts that the schema lists.
 * @param example its text at the same path is the replacement, if there is one
 */
export function redactTexts(value: Json, schema: Json, example?: Json): Json {
  if (typeof value === 'string') {
    if (isListed(schema) || isHarmless(value)) return value;
    if (typeof example === 'string') return example;
    return value.includes('@') ? erasedEmail : erasedText;
  }

  if (Array.isArray(value)) {
    const [first] = Array.isArray(example) ? (example as readonly Json[]) : [];
    return value.map((item) => redactTexts(item, memberOf(schema, 'items'), first));
  }

  if (!isObject(value)) return value;

  const members = memberOf(schema, 'properties');
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      redactTexts(member, memberOf(members, name), memberOf(example, name)),
    ]),
  );
}

/** Whether the schema allows only certain texts. */
function isListed(schema: Json): boolean {
  return isObject(schema) && ('enum' in schema || 'const' in schema);
}

function isHarmless(text: string): boolean {
  return (
    /^[a-z]{3,4}_[0-9A-Za-z]{24}$/.test(text) ||
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:[\d.]+Z$/.test(text)
  );
}

function memberOf(value: Json, name: string): Json {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [change(name), mapTexts(member, change)]),
  );
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Data = Readonly<Record<string, unknown>>;

/** The stored envelope of an event. */
interface Envelope {
  readonly type: string;
  readonly subject: string;
  readonly eventversion: string;
  readonly data: Data;
  /** An extension of CloudEvents: when personal data was erased from the event. */
  readonly erasedat?: string;
}

/** An event without the personal data of a buyer. */
interface RedactedEvent {
  readonly subject: string;
  readonly body: Buffer;
}

/** How {@link redactEvent} finds the buyer. */
interface EventRedaction {
  readonly mentions: Mentions;
  /** Whether the event is about a resource of the buyer, and does not merely mention the address. */
  readonly isSale: boolean;
  readonly erasedAt: Date;
  /** The schemas of types that operators registered, by type. */
  readonly schemas: ReadonlyMap<string, SchemasOfType>;
}

/**
 * Removes the personal data of a buyer from the bytes of an event. They stay valid against the schema of its type, and
 * the envelope says when they were erased.
 * @returns undefined if there is nothing to remove
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

  const version = schemas
    .get(type)
    ?.versions.find((candidate) => candidate.version === eventversion);

  // Replaces the mentions that are left, too, because names of members may be addresses.
  const redact = (example?: unknown) =>
    redactMentions(redactTexts(data, version?.schema, example), mentions);
  const texts = redact();

  if (!version) return texts;

  // Large data of many events would otherwise block the other work of the worker.
  await nextTurn();

  const validate = await validatorOf(version);

  // Data of a type that only warns may have broken its schema before, and may do so now. If the comparison is too slow,
  // the data counts as valid.
  const breaks = (candidate: unknown) =>
    validate(candidate).some(({ code }) => code !== 'schema_too_slow');
  if (!breaks(texts)) return texts;

  const fromExample = redact(version.example);
  return breaks(fromExample) ? version.example : fromExample;
}

/** A schema is compiled once for all events of a step. */
const validators = new WeakMap<EventTypeVersionContent, ValidateData>();

async function validatorOf(version: EventTypeVersionContent): Promise<ValidateData> {
  const compiled = validators.get(version);
  if (compiled) return compiled;

  // Loaded late, because workers need these modules for nothing else.
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
  const schemas = await readSchemas(read, [...new Set(types)]);
  return new Map(schemas.map((schema) => [schema.id, schema]));
}
