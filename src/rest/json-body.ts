import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { InvalidJson, readJson, TooManyValues } from '../json/strict-json.js';
import { hasBody, readBytes } from './body.js';
import { Refused } from './problem.js';

/** What a body may be (H92). */
export interface BodyLimits {
  readonly contentTypes: readonly string[];
  readonly maxBytes: number;
  /** Members and items in all: what a body costs grows with their number. */
  readonly maxValues: number;
}

/** A body that an operation does not have is read so far and ignored (H26). */
const ignoredBytes = 65_536;

const internalLimits: BodyLimits = {
  contentTypes: ['application/json'],
  maxBytes: 1_048_576,
  maxValues: 50_000,
};

/** After a larger body was parsed others have their turn before it is worked on. */
const slicedBytes = 65_536;
/** Bodies beyond this are worked on a few at a time. */
const largeBytes = 1_000_000;

/**
 * Reads a body as JSON (H18, H92); undefined when there is none.
 * @throws Refused unsupported_media_type, payload_too_large, invalid_json
 */
export async function readJsonBody(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  const bytes = await readBodyBytes(request, limits);
  const body = parseBody(bytes, limits);
  if (bytes.length > slicedBytes) await nextTurn();
  return body;
}

async function readBodyBytes(
  request: IncomingMessage,
  { contentTypes, maxBytes }: BodyLimits,
): Promise<Buffer> {
  const type = request.headers['content-type'];
  const coding = request.headers['content-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') {
    throw unsupported(contentTypes, { 'Accept-Encoding': 'identity' });
  }
  if (type !== undefined && !takes(type, contentTypes)) throw unsupported(contentTypes);
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length > 0 && type === undefined) throw unsupported(contentTypes);
  return bytes;
}

function parseBody(bytes: Buffer, { maxValues }: BodyLimits): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return readJson(bytes, maxValues);
  } catch (error) {
    if (error instanceof InvalidJson) throw new Refused('invalid_json', error.detail);
    if (error instanceof TooManyValues) throw tooMany(error);
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
 * @param takeLarge waits until one more large body may be parsed and worked on; resolves with its end
 */
export function internalBodies(takeLarge: () => Promise<() => void>): WithBody {
  return async (request, work) => {
    const bytes = await readBodyBytes(request, internalLimits);
    const end = bytes.length > largeBytes ? await takeLarge() : undefined;
    try {
      const body = parseBody(bytes, internalLimits);
      if (bytes.length > slicedBytes) await nextTurn();
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
  if (hasBody(request)) await readBytes(request, ignoredBytes);
}

/** Any parameter but a charset that means UTF-8 is let through, as media types define it. */
function takes(type: string, contentTypes: readonly string[]): boolean {
  const [essence = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  if (!contentTypes.includes(essence)) return false;
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=');
    return name !== 'charset' || /^"?utf-8"?$/.test(value);
  });
}

function tooMany({ most }: TooManyValues): Refused {
  const detail = `The request body must hold at most ${most.toLocaleString('en')} members and items.`;
  return new Refused('payload_too_large', detail);
}

function unsupported(
  contentTypes: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Refused {
  return new Refused('unsupported_media_type', 'Send the body as application/json.', {
    headers: { Accept: contentTypes.join(', '), ...headers },
  });
}
