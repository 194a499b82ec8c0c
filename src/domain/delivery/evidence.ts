// The evidence of an attempt: what was sent and what came back, as it is stored beside the record of a delivery.
//
// Evidence holds no credential: no signature of the request, also where a receiver repeats it, no cookie, and no user
// information or secret parameter of a URL. It is small: 4 KiB of headers and 4 KiB of the body. A success has none,
// unless it follows a failure or its response was incomplete. evidence-of-deliveries.ts reads it for people.
import type { AttemptPhase, AttemptTimings, PostResult } from './outcome.js';

/** The name in lower case, and the value. */
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

/**
 * Makes the evidence of an attempt that failed, was the first to succeed after a failure of its
 * pending delivery, or succeeded although the receiver left the body open.
 * @returns undefined for other attempts
 */
export function evidenceOf(
  request: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  { outcome, trace }: PostResult,
): Evidence | undefined {
  if (!trace && outcome.kind === 'accepted') return undefined;

  const response = trace?.response ?? null;

  // Some receivers repeat the headers of the request.
  const unsigned = signatureRedactor(response ? request.headers : {});
  return {
    url: redactUrl(request.url),
    requestHeaders: unsignedHeaders(request.headers),
    phase: trace?.phase ?? null,
    address: trace?.address ?? null,
    tlsVersion: trace?.tlsVersion ?? null,
    detail: trace?.detail ?? null,
    ...(trace?.timings ?? noTimings),
    responseHeaders: response && keptHeaders(unsigned(response.head)),
    body: response && redactBody(response.body, unsigned),
    bodyTruncated: response?.truncated ?? false,
  };
}

/** Returns the body in base64, without the signatures of the request. */
function redactBody(body: Buffer, unsigned: (text: string) => string): string {
  return Buffer.from(unsigned(body.toString('latin1')), 'latin1').toString('base64');
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

/** A signature at the end of a cut text is found if at least this many of its characters are there. */
const shortest = 8;

/** The spellings of the characters that JSON, URLs and HTML escape. */
const spellings: Readonly<Record<string, string>> = {
  '+': String.raw`(?:\+|%2b|\\u002b|&#43;|&#x2b;)`,
  '/': String.raw`(?:\\?/|%2f|\\u002f|&#47;|&#x2f;)`,
  '=': '(?:=|%3d|\\\\u003d|&#61;|&#x3d;)',
};

/**
 * Returns a function that replaces the signatures of a request in a text by as many asterisks. It finds
 * them in the spellings of JSON, URLs and HTML, and where the end of the text cuts one off.
 */
export function signatureRedactor(
  headers: Readonly<Record<string, string>>,
): (text: string) => string {
  const signatures = Object.entries(headers)
    .filter(([name]) => name.toLowerCase().includes('signature'))
    .flatMap(([, value]) => value.match(signature) ?? []);
  // Few responses hold a signature, and its pattern costs more to compile than all other evidence.
  const marks = signatures.map(markOf);
  let pattern: RegExp | undefined;
  return (text) => {
    const lower = text.toLowerCase();
    if (!marks.some((mark) => lower.includes(mark))) return text;
    pattern ??= new RegExp(signatures.map(patternOf).join('|'), 'gi');
    return text.replace(pattern, (found) => '*'.repeat(found.length));
  };
}

/** Characters that each spelling of a signature holds, even a cut one, in lower case. */
function markOf(value: string): string {
  const runs = value.slice(0, shortest).toLowerCase().split(/[+/=]/);
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest));
}

/** Matches a whole signature, or as much of it as there is before the end of the text. */
function patternOf(value: string): string {
  const letters = Array.from(value, (letter) => spellings[letter] ?? letter);
  const rest = letters.slice(shortest).reduceRight((tail, letter) => `(?:${letter}${tail}|$)`, '');
  return letters.slice(0, shortest).join('') + rest;
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
