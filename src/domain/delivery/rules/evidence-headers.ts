import { redactUrl } from './redact-url.js';

/** Name in lower case, and value. */
export type Header = readonly [name: string, value: string];

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
const signature = /signature/;

/** The headers of a request without its signatures. */
export function unsignedHeaders(headers: Readonly<Record<string, string>>): Header[] {
  return Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !signature.test(name));
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
