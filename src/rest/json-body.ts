import type { IncomingMessage } from 'node:http';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { InvalidJson, readJson, TooManyValues } from '../json/strict-json.js';
import { hasBody, readRawBody } from '../api/body.js';
import { ApiError } from '../api/problem.js';

/** What a body may be (H92). */
export interface BodyLimits {
  readonly contentTypes: readonly string[];
  readonly maxBytes: number;
  /** Members and items in all: what a body costs grows with their number. */
  readonly maxValues: number;
}

/** A body that an operation does not have is read so far and ignored (H26). */
const maxIgnoredBytes = 65_536;

const internalLimits: BodyLimits = {
  contentTypes: ['application/json'],
  maxBytes: 1_048_576,
  maxValues: 50_000,
};

/** After a larger body was parsed others have their turn before it is worked on. */
const yieldAboveBytes = 65_536;
/** Bodies beyond this are worked on a few at a time. */
const largeBytes = 1_000_000;

/**
 * Reads a body as JSON (H18, H92); undefined when there is none.
 * @throws Refused unsupported_media_type, payload_too_large, invalid_json
 */
export async function readJsonBody(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  const bytes = await readBodyBytes(request, limits);
  const body = parseBody(bytes, limits);
  if (bytes.length > yieldAboveBytes) await yieldToEventLoop();
  return body;
}

async function readBodyBytes(
  request: IncomingMessage,
  { contentTypes, maxBytes }: BodyLimits,
): Promise<Buffer> {
  const type = request.headers['content-type'];
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw unsupported(contentTypes, { 'Accept-Encoding': 'identity' });
  }
  if (type !== undefined && !accepts(type, contentTypes)) throw unsupported(contentTypes);
  const bytes = await readRawBody(request, maxBytes);
  if (bytes.length > 0 && type === undefined) throw unsupported(contentTypes);
  return bytes;
}

function parseBody(bytes: Buffer, { maxValues }: BodyLimits): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return readJson(bytes, maxValues);
  } catch (error) {
    if (error instanceof InvalidJson) throw new ApiError('invalid_json', error.detail);
    if (error instanceof TooManyValues) throw tooManyValues(error);
    throw error;
  }
}

/**
 * Works with the body of a request on the internal listener, read by the same rules.
 * @throws Refused unsupported_media_type, payload_too_large, invalid_json
 */
export type WithBody = <T>(
  request: IncomingMessage,
  work: (body: unknown) => Promise<T>,
) => Promise<T>;

/**
 * Makes what reads the bodies of the internal listener.
 * @param acquireLargeBody waits until one more large body may be parsed and worked on; resolves with its end
 */
export function internalBodyReader(acquireLargeBody: () => Promise<() => void>): WithBody {
  return async (request, work) => {
    const bytes = await readBodyBytes(request, internalLimits);
    const end = bytes.length > largeBytes ? await acquireLargeBody() : undefined;
    try {
      const body = parseBody(bytes, internalLimits);
      if (bytes.length > yieldAboveBytes) await yieldToEventLoop();
      return await work(body);
    } finally {
      end?.();
    }
  };
}

/**
 * Reads a body that does not count (H26).
 * @throws Refused payload_too_large
 */
export async function skipBody(request: IncomingMessage): Promise<void> {
  if (hasBody(request)) await readRawBody(request, maxIgnoredBytes);
}

/** Any parameter but a charset that means UTF-8 is let through, as media types define it. */
function accepts(type: string, contentTypes: readonly string[]): boolean {
  const [mediaType = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  if (!contentTypes.includes(mediaType)) return false;
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=');
    return name !== 'charset' || /^"?utf-8"?$/.test(value);
  });
}

function tooManyValues({ maxValues }: TooManyValues): ApiError {
  const limit = maxValues.toLocaleString('en');
  const detail = `The request body must hold at most ${limit} members and items.`;
  return new ApiError('payload_too_large', detail);
}

function unsupported(
  contentTypes: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): ApiError {
  return new ApiError('unsupported_media_type', 'Send the body as application/json.', {
    headers: { Accept: contentTypes.join(', '), ...headers },
  });
}
