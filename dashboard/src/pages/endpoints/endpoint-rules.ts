/*
 * Rules for the forms of an endpoint: its URL, its event types, its delivery options, and why it is disabled.
 *
 * The forms say early what the service would refuse. The service checks everything again.
 */

/** What someone typed into the form of an endpoint. */
export interface EndpointDraft {
  readonly url: string;
  readonly description: string;
  readonly notificationEmail: string;
  readonly eventTypes: readonly string[];
}

/** The fields of an endpoint that the form changes. */
interface EndpointFields {
  readonly url: string;
  readonly description: string | null;
  readonly eventTypes: readonly string[];
}

/** The draft of an existing endpoint. */
export function draftOf(
  endpoint: EndpointFields & { readonly notificationEmail: string },
): EndpointDraft {
  const { url, description, notificationEmail, eventTypes } = endpoint;
  return { url, description: description ?? '', notificationEmail, eventTypes };
}

/** The issue to show now: while someone types, an unfinished URL is not yet wrong. */
export function shownUrlIssue(url: string, left: boolean): UrlIssue | undefined {
  if (!left && mayBecomeUrl(url)) return undefined;
  return left && url === '' ? 'scheme' : urlIssue(url.trim());
}

/** Whether the draft can be sent. The form shows what is missing next to the fields. */
export function isComplete({ url, eventTypes }: EndpointDraft): boolean {
  return urlIssue(url.trim()) === undefined && eventTypes.length > 0;
}

/** The input of the mutation: only what has changed. */
export function changesOf(
  before: EndpointFields,
  { url, description, eventTypes }: EndpointDraft,
): Partial<{ url: string; description: string | null; eventTypes: string[] }> {
  const wantedDescription = description.trim() === '' ? null : description;
  const sameTypes =
    eventTypes.length === before.eventTypes.length &&
    eventTypes.every((type) => before.eventTypes.includes(type));
  return {
    ...(url.trim() !== before.url && { url: url.trim() }),
    ...(wantedDescription !== before.description && { description: wantedDescription }),
    ...(!sameTypes && { eventTypes: [...eventTypes] }),
  };
}

/** What the form can check while someone types. The service validates the URL in full. */
type UrlIssue = 'scheme' | 'space' | 'host' | 'userInfo' | 'fragment' | 'tooLong' | 'invalid';

const maxLength = 2_048;

/**
 * Returns what is wrong with the URL of an endpoint, or undefined. Accepts every URL that the
 * service accepts.
 */
export function urlIssue(url: string): UrlIssue | undefined {
  if (!url.startsWith('https://')) return 'scheme';
  if (Array.from(url).length > maxLength) return 'tooLong';
  const rest = url.slice('https://'.length);
  if (/[\p{Cc}\p{Z}]/u.test(rest)) return 'space';
  const [authority = ''] = rest.split(/[/\\?#]/);
  if (authority === '') return 'host';
  if (authority.includes('@')) return 'userInfo';
  if (rest.includes('#')) return 'fragment';
  return URL.canParse(url) ? undefined : 'invalid';
}

/** True while `text` may still become a URL that starts with https://. */
function mayBecomeUrl(text: string): boolean {
  return 'https://'.startsWith(text);
}

/** What the form needs to know about an event type. */
interface EventTypeChoice {
  readonly id: string;
  readonly category: string;
  readonly summary: string;
  readonly acceptsNewSubscriptions: boolean;
  /** Whether events of the type are published today. */
  readonly sent: boolean;
}

/** Event types of one category. */
interface EventTypeGroup<Choice extends EventTypeChoice> {
  readonly category: string;
  readonly types: readonly Choice[];
}

/**
 * Groups the types that can be chosen: those that are offered or subscribed to already, whose id,
 * summary or category contains `search` in any case. Types that are sent come first.
 */
export function groupEventTypes<Choice extends EventTypeChoice>(
  types: readonly Choice[],
  subscribed: ReadonlySet<string>,
  search: string,
): readonly EventTypeGroup<Choice>[] {
  const wanted = search.trim().toLowerCase();
  const groups = new Map<string, Choice[]>();
  for (const type of types) {
    if (!type.acceptsNewSubscriptions && !subscribed.has(type.id)) continue;
    const texts = [type.id, type.summary, type.category];
    if (!texts.some((searched) => searched.toLowerCase().includes(wanted))) continue;
    groups.set(type.category, [...(groups.get(type.category) ?? []), type]);
  }
  return [...groups]
    .map(([category, members]) => ({ category, types: members.sort(sentFirst) }))
    .sort((a, b) => sentFirst(a.types[0], b.types[0]) || a.category.localeCompare(b.category));
}

function sentFirst(a?: EventTypeChoice, b?: EventTypeChoice): number {
  return Number(b?.sent) - Number(a?.sent);
}

const maxPerSecond = 1_000;

/** Reads a typed rate limit: a number, null for none, undefined for anything else. */
export function parseRateLimit(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= maxPerSecond ? value : undefined;
}

/** When the attempts after the first one come: the sums of the delays before them. */
export function attemptSeconds(delaysSeconds: readonly number[]): readonly number[] {
  let sum = 0;
  return delaysSeconds.map((delay) => (sum += delay));
}

/** A text around the character that the service refused. */
interface RefusedCharacter {
  readonly before: string;
  /** Empty at the end of the text. */
  readonly character: string;
  readonly after: string;
}

/** Splits a filter at the character that a refusal names; undefined if it names none. */
export function refusedCharacter(filter: string, refusal: string): RefusedCharacter | undefined {
  const position = Number(/^Character (\d{1,4}): /.exec(refusal)?.[1] ?? 0);
  const characters = Array.from(filter);
  if (position < 1 || position > characters.length + 1) return undefined;
  return {
    before: characters.slice(0, position - 1).join(''),
    character: characters[position - 1] ?? '',
    after: characters.slice(position).join(''),
  };
}

const maxReasonLength = 200;

/** The service's rule: an e-mail address has a character before and after its @, even percent-encoded. */
const address = /\S(?:@|%40)\S/i;

/** Why a typed reason cannot be sent; undefined if it can, or if it is empty. */
export function reasonProblem(typed: string): 'tooLong' | 'address' | undefined {
  const reason = typed.trim();
  if (Array.from(reason).length > maxReasonLength) return 'tooLong';
  return address.test(reason) ? 'address' : undefined;
}

/** An endpoint has at most this many static headers. */
export const maxHeaders = 10;

/** A header as someone types it. */
export interface HeaderRow {
  readonly key: number;
  readonly name: string;
  readonly value: string;
  /** Whether the service has a value, which an empty one keeps. */
  readonly stored: boolean;
}

let lastKey = 0;

/** A row for one more header. */
export function emptyHeaderRow(): HeaderRow {
  lastKey += 1;
  return { key: lastKey, name: '', value: '', stored: false };
}

/** The rows of the headers of an endpoint, without their values; an empty one if it has none. */
export function headerRows(
  headers: { readonly names: readonly string[]; readonly sent: boolean } | null,
): HeaderRow[] {
  if (headers === null) return [emptyHeaderRow()];
  return headers.names.map((name) => ({ ...emptyHeaderRow(), name, stored: headers.sent }));
}

/** Whether nothing was typed into a row. */
export function isBlank({ name, value }: HeaderRow): boolean {
  return name.trim() === '' && value === '';
}

/** The input of the mutation: null keeps the stored value of a name. */
export function headersInput(rows: readonly HeaderRow[]): { name: string; value: string | null }[] {
  return rows.map(({ name, value, stored }) => ({
    name: name.trim(),
    value: value === '' && stored ? null : value.trim(),
  }));
}
