// Bodies of requests: read once, within limits of bytes, and as JSON within limits of values. Nothing is kept of a
// body that is refused, and it is read to its end where that lets the client receive the error.
import type { IncomingMessage } from 'node:http';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { KeyedSemaphore } from '../database/limits.js';
import { ApiError } from './problems.js';
import { InvalidJson, readJson, TooManyValues } from './strict-json.js';

/** Limits of a request body. */
export interface BodyLimits {
  readonly contentTypes: readonly string[];
  readonly maxBytes: number;
  /** Members and items in total: the cost of a body grows with their number. */
  readonly maxValues: number;
}

/** Reads and ignores at most this much of a body that the operation does not accept. */
const maxIgnoredBytes = 65_536;

const uncompressed = 'Send the body uncompressed, without Content-Encoding.';

/** After parsing a body above this size, yields to other requests. */
const yieldAboveBytes = 65_536;
/** Bodies above this size are processed a few at a time. */
const largeBytes = 1_000_000;

/**
 * Reads a JSON body; undefined if there is none.
 * @throws ApiError unsupported_media_type, payload_too_large, invalid_json
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
    throw new ApiError('unsupported_media_type', uncompressed, {
      headers: { Accept: contentTypes.join(', '), 'Accept-Encoding': 'identity' },
    });
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
 * Runs `work` with the body of a request, read as {@link readJsonBody} reads it.
 * @throws ApiError unsupported_media_type, payload_too_large, invalid_json
 */
export type WithBody = <T>(
  request: IncomingMessage,
  work: (body: unknown, bytes: Buffer) => Promise<T>,
) => Promise<T>;

/** A large body takes some hundred milliseconds and megabytes. */
const largeBodyLimits = { maxConcurrent: 2, waiting: 20, maxWaitMs: 5_000 };

/** Creates the reader of bodies that are GraphQL operations. Two bodies of more than a megabyte are processed at once. */
export function operationBodyReader(limits: BodyLimits): WithBody {
  const largeBodies = new KeyedSemaphore(largeBodyLimits);
  return async (request, work) => {
    const bytes = await readBodyBytes(request, limits);
    const release = bytes.length > largeBytes ? await largeBodies.acquire('body') : undefined;
    try {
      const body = parseBody(bytes, limits);
      if (bytes.length > yieldAboveBytes) await yieldToEventLoop();
      return await work(body, bytes);
    } finally {
      release?.();
    }
  };
}

/**
 * Reads and ignores a body.
 * @throws ApiError payload_too_large
 */
export async function skipBody(request: IncomingMessage): Promise<void> {
  if (hasBody(request)) await readRawBody(request, maxIgnoredBytes);
}

/** Ignores unknown parameters, as RFC 9110 recommends; a charset must be UTF-8. */
function accepts(type: string, contentTypes: readonly string[]): boolean {
  if (contentTypes.includes(type)) return true;
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

function unsupported(contentTypes: readonly string[]): ApiError {
  return new ApiError('unsupported_media_type', 'Send the body as application/json.', {
    headers: { Accept: contentTypes.join(', ') },
  });
}

/**
 * Reads the rest of an oversized body up to this size, so that the client receives the error and
 * not a reset.
 */
const maxDrainBytes = 8 * 1_048_576;

const empty = Buffer.alloc(0);

/** Whether the headers announce a body. */
function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Reads a whole body; empty if there is none.
 * @throws ApiError payload_too_large, or malformed_request when the connection ends early
 */
export function readRawBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (!hasBody(request)) return Promise.resolve(empty);

  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > maxDrainBytes) {
      reject(tooLarge(maxBytes));
      return;
    }

    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
      if (length > maxDrainBytes) {
        request.pause();
        reject(tooLarge(maxBytes));
      }
    });

    request.on('end', () => {
      if (length > maxBytes) reject(tooLarge(maxBytes));
      else resolve(chunks.length === 1 ? (chunks[0] ?? empty) : Buffer.concat(chunks, length));
    });

    // The client is gone and reads no error; the request only has to end.
    request.on('error', () =>
      reject(
        new ApiError('malformed_request', 'The request body ended before its announced length.'),
      ),
    );
  });
}

function tooLarge(maxBytes: number): ApiError {
  const detail = `The request body must be at most ${maxBytes.toLocaleString('en')} bytes.`;
  return new ApiError('payload_too_large', detail);
}
