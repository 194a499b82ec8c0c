// The evidence of an attempt: what was sent and what came back, as it is stored beside the record of a delivery.
//
// Evidence holds no credential: no signature and no static header of the request, also where a receiver repeats them, no
// cookie, and no user information or secret parameter of a URL. It is small: 4 KiB of headers and 4 KiB of the body. A success has none,
// unless it follows a failure or its response was incomplete. evidence-of-deliveries.ts reads it for people.
import type { AttemptPhase, AttemptTimings, PostResult } from './outcome.js';

/** Name and value; evidence has names in lower case. */
export type Header = readonly [name: string, value: string];

/** The evidence of an attempt, as it is stored beside its record. */
export interface Evidence extends AttemptTimings {
  /** Without user information and secret query parameters. */
  readonly url: string;
  readonly requestHeaders: readonly Header[];
  /** Null when nothing was dialled. */
  readonly phase: AttemptPhase | null;
  readonly address: string | null;
  readonly tlsVersion: string | null;
  readonly detail: string | null;
  /** Null without a response, or when responses are not kept. */
  readonly responseHeaders: readonly Header[] | null;
  /** The first 4 KiB, in base64. */
  readonly body: string | null;
  readonly bodyTruncated: boolean;
}

const noTimings: AttemptTimings = {
  lookupMs: null,
  connectMs: null,
  tlsMs: null,
  firstByteMs: null,
  totalMs: null,
};

/** Whether a success of this attempt has evidence, too: it is the first after a failure. */
export function followsFailure({ attempt }: { readonly attempt: number }): boolean {
  return attempt > 1;
}

/** The request of an attempt. */
interface EvidenceRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Those that evidence must not have. Defaults to none. */
  readonly staticHeaders?: readonly Header[] | undefined;
}

/**
 * Makes the evidence of an attempt that failed, was the first to succeed after a failure of its
 * pending delivery, or succeeded although the receiver left the body open.
 * @returns undefined for other attempts
 */
export function evidenceOf(
  request: EvidenceRequest,
  { outcome, trace }: PostResult,
): Evidence | undefined {
  if (!trace && outcome.kind === 'accepted') return undefined;

  const response = trace?.response ?? null;

  // Some receivers repeat the headers of the request.
  const redact = credentialRedactor(response ? request : { headers: {} });
  return {
    url: redactUrl(request.url),
    requestHeaders: unsignedHeaders(request.headers),
    phase: trace?.phase ?? null,
    address: trace?.address ?? null,
    tlsVersion: trace?.tlsVersion ?? null,
    detail: trace?.detail ?? null,
    ...(trace?.timings ?? noTimings),
    responseHeaders: response && keptHeaders(redact(response.head)),
    body: response && redactBody(response.body, redact),
    bodyTruncated: response?.truncated ?? false,
  };
}

/** Returns the body in base64, without the credentials of the request. */
function redactBody(body: Buffer, redact: (text: string) => string): string {
  return Buffer.from(redact(body.toString('latin1')), 'latin1').toString('base64');
}

const maxBytes = 4_096;
const maxValueBytes = 1_024;

/** Headers that show who responded and how. None of them carries credentials or cookies. */
const kept = new Set([
  'age',
  'allow',
  'cache-control',
  'cf-cache-status',
  'cf-mitigated',
  'cf-ray',
  'connection',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'date',
  'fly-request-id',
  'keep-alive',
  'location',
  'ratelimit',
  'ratelimit-limit',
  'ratelimit-policy',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'server',
  'server-timing',
  'traceparent',
  'transfer-encoding',
  'upgrade',
  'vary',
  'via',
  'www-authenticate',
  'x-amz-cf-id',
  'x-amzn-errortype',
  'x-amzn-requestid',
  'x-amzn-trace-id',
  'x-azure-ref',
  'x-cache',
  'x-cloud-trace-context',
  'x-content-type-options',
  'x-correlation-id',
  'x-github-request-id',
  'x-powered-by',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
  'x-served-by',
  'x-trace-id',
  'x-vercel-error',
  'x-vercel-id',
]);
const signatureName = /signature/;

/** The headers of a request without its signatures. */
export function unsignedHeaders(headers: Readonly<Record<string, string>>): Header[] {
  return Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !signatureName.test(name));
}

/**
 * The headers of a response that evidence keeps, in their order: at most 1,024 bytes of a value, and
 * 4 KiB in all. Headers that do not fit are left out.
 * @param head status line and field lines, as Latin-1 without NUL, separated by CRLF
 */
export function keptHeaders(head: string): Header[] {
  const headers: Header[] = [];
  let bytes = 0;

  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (!kept.has(name)) continue;

    const value = valueOf(name, line.slice(colon + 1));
    const size = name.length + Buffer.byteLength(value);
    if (bytes + size > maxBytes) continue;

    bytes += size;
    headers.push([name, value]);
  }

  return headers;
}

function valueOf(name: string, raw: string): string {
  // Latin-1 letters take two bytes, a replacement three: cut before either can exceed the limit.
  const text = raw.replace(/^[\t ]+/, '').slice(0, 4 * maxValueBytes);
  const value = name === 'location' ? redactUrl(text) : text;
  return cut(value.replace(/[\x80-\x9f]/g, '\ufffd'));
}

function cut(value: string): string {
  if (Buffer.byteLength(value) <= maxValueBytes) return value;
  let bytes = 0;
  let end = 0;
  for (const letter of value) {
    bytes += Buffer.byteLength(letter);
    if (bytes > maxValueBytes - 3) break;
    end += letter.length;
  }
  return `${value.slice(0, end)}…`;
}

/** A signature in base64 or hex; the versions and timestamps next to it are shorter. */
const signature = /[A-Za-z0-9+/]{32,}={0,2}/g;

/** A credential at the end of a cut text is found if at least this many of its characters are there. */
const shortestStart = 8;

/** Shorter values of static headers, such as `true`, prove nothing and are in many texts. */
const shortestValue = 6;

/** `Basic` or `Bearer`, say, and the credentials after it, which a receiver may repeat alone. */
const schemeAndCredentials = /^[\w-]+ +(.*)$/;

/**
 * Returns a function that replaces the signatures and static headers of a request in a text by as many asterisks. It
 * finds them as they are and as JSON, URLs and HTML escape them, in upper and lower case, and where the end of the text
 * cuts one off.
 */
export function credentialRedactor({
  headers,
  staticHeaders = [],
}: Omit<EvidenceRequest, 'url'>): (text: string) => string {
  const signatures = Object.entries(headers)
    .filter(([name]) => name.toLowerCase().includes('signature'))
    .flatMap(([, value]) => value.match(signature) ?? []);
  const values = staticHeaders
    .flatMap(([, value]) => [value, schemeAndCredentials.exec(value)?.[1] ?? ''])
    .filter(({ length }) => length >= shortestValue);
  const credentials = [...signatures, ...values].map((value) => value.toLowerCase());
  // Few responses have one, and looking for each of its spellings costs more than all other evidence.
  const marks = credentials.map(markOf);

  return (text) => {
    const lower = text.toLowerCase();
    if (!marks.some((mark) => lower.includes(mark))) return text;

    const characters = text.split('');
    for (const decoded of [plain(lower), ...escapes.map((escape) => unescaped(lower, escape))]) {
      for (const [start, end] of credentials.flatMap((value) => placesOf(value, decoded))) {
        characters.fill('*', decoded.offsets[start], decoded.offsets[end]);
      }
    }
    return characters.join('');
  };
}

/** Characters that each spelling of a credential has, even a cut one. */
function markOf(value: string): string {
  const runs = value.slice(0, shortestStart).split(/[^a-z0-9]/);
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest));
}

/** A text, and where each of its characters begins in the text from which it was made; the last is where that ends. */
interface DecodedText {
  readonly text: string;
  readonly offsets: readonly number[];
}

function plain(text: string): DecodedText {
  return { text, offsets: Array.from({ length: text.length + 1 }, (_, index) => index) };
}

/** Escapes in lower case, each with its last one cut off by the end of the text: of JSON, URLs, forms and HTML. */
const escapes = [
  /\\u00(?<hex>[\da-f]{2})|\\(?<letter>[^u])|\\(?:u[\da-f]{0,3})?$/g,
  /%(?<hex>[\da-f]{2})|%[\da-f]?$/g,
  /%(?<hex>[\da-f]{2})|(?<letter>\+)|%[\da-f]?$/g,
  /&#x0*(?<hex>[\da-f]{1,2});|&#0*(?<decimal>\d{1,3});|&(?<letter>amp|lt|gt|quot|apos);|&[#\w]{0,5}$/g,
];

const letters: Readonly<Record<string, string>> = {
  t: '\t',
  '+': ' ',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** Replaces the escaped characters of a text, and leaves out an escape that its end cuts off. */
function unescaped(lower: string, escape: RegExp): DecodedText {
  let text = '';
  const offsets: number[] = [];
  const copy = (from: number, to: number) => {
    text += lower.slice(from, to);
    for (let place = from; place < to; place += 1) offsets.push(place);
  };

  let copied = 0;
  for (const { 0: whole, index, groups } of lower.matchAll(escape)) {
    copy(copied, index);
    copied = index + whole.length;

    const character = characterOf(groups ?? {});
    if (character === undefined) continue;
    text += character;
    offsets.push(index);
  }

  copy(copied, lower.length);
  offsets.push(lower.length);
  return { text, offsets };
}

/** Returns the character of an escape; undefined if it is cut off. */
function characterOf({
  hex,
  decimal,
  letter,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  if (hex !== undefined) return fromCode(Number.parseInt(hex, 16));
  if (decimal !== undefined) return fromCode(Number(decimal));
  return letter === undefined ? undefined : (letters[letter] ?? letter);
}

/** Credentials are ASCII and compared in lower case. */
function fromCode(code: number): string {
  return code < 0x80 ? String.fromCharCode(code).toLowerCase() : '\0';
}

/** Returns from where to where a text has a credential, or at its end the start of one. */
function placesOf(value: string, { text }: DecodedText): (readonly [start: number, end: number])[] {
  const places: [number, number][] = [];
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
    places.push([at, at + value.length]);
  }

  const longest = Math.min(value.length - 1, text.length);
  for (let length = longest; length >= shortestStart; length -= 1) {
    if (!text.endsWith(value.slice(0, length))) continue;
    places.push([text.length - length, text.length]);
    break;
  }

  return places;
}

const parameter = /([?&#;])([^=?&#;]*)=([^?&#;]*)/g;
const secretName =
  /token|secret|passw|pwd|api[-_.]?key|(^|[-_.])key$|(^|[-_.])sig$|signature|auth|credential|session|jwt|^code$/i;

/**
 * Replaces what a URL holds to prove who calls: user information, and the values of query
 * parameters with names such as `token`, `api_key` and `sig`. The text may also be relative.
 */
export function redactUrl(url: string): string {
  return url
    .replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/?#]*@/i, '$1//')
    .replace(parameter, (whole, before: string, name: string) =>
      secretName.test(decoded(name)) ? `${before}${name}=***` : whole,
    );
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
