import { erasedEmail, erasedText } from './erased-values.js';
import type { Mentions } from './mentions.js';

type Json = unknown;
type JsonObject = Readonly<Record<string, unknown>>;

/** Replaces every text that mentions the address; the rest of the value stays. */
export function redactMentions(value: Json, mentions: Mentions): Json {
  return mapTexts(value, (text) => redactText(text, mentions));
}

/** Replaces a text that mentions the address: by another address, another URL, or a word. */
export function redactText(text: string, mentions: Mentions): string {
  const found = mentions.find(text);
  if (found === undefined) return text;
  if (found.length === text.length) return erasedEmail;
  return /^https?:\/\//i.test(text) ? 'https://erased.invalid/' : erasedText;
}

/**
 * Redacts what the service itself writes about a sale of the buyer: data of its own event types, and
 * responses of `/v1`. The members that hold what a person entered have known names.
 */
export function redactSale(value: Json, mentions: Mentions): Json {
  if (Array.isArray(value)) return value.map((each) => redactSale(each, mentions));
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
 * Replaces every text of data whose meaning only the operator knows. Ids of this service, instants and
 * texts that the schema lists stay, and so do numbers.
 * @param example where it has a text at the same path, that text is the replacement
 */
export function redactTexts(value: Json, schema: Json, example?: Json): Json {
  if (typeof value === 'string') {
    if (isListed(schema) || isHarmless(value)) return value;
    if (typeof example === 'string') return example;
    return value.includes('@') ? erasedEmail : erasedText;
  }
  if (Array.isArray(value)) {
    const [first] = Array.isArray(example) ? (example as readonly Json[]) : [];
    return value.map((each) => redactTexts(each, memberOf(schema, 'items'), first));
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
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [change(name), mapTexts(member, change)]),
  );
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
