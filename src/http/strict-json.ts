// Reads JSON strictly: it refuses what one reader would keep and another would lose or change, because a body is stored,
// signed and read again by others. Limits are checked in one pass over the bytes, before any value is built.

import { type NumberChange, numberChange } from '../domain/values/json-number.js';

/** The service does not accept this JSON; `detail` tells the client why. */
export class InvalidJson extends Error {
  constructor(readonly detail: string) {
    super(detail);
    this.name = 'InvalidJson';
  }
}

/** The text has more members and items than the caller allows. */
export class TooManyValues extends Error {
  constructor(readonly maxValues: number) {
    super(`The JSON must have at most ${maxValues} members and items.`);
    this.name = 'TooManyValues';
  }
}

/** At most this many levels of objects and arrays, the outermost included. */
export const maxNesting = 64;

const notJson = 'The request body is not valid JSON.';

/**
 * Reads bytes as one JSON text in UTF-8 and skips a byte order mark. It refuses more than 64 levels, and
 * all that other readers would silently alter:
 * - malformed UTF-8;
 * - a member name twice in one object;
 * - integers beyond ±(2^53 - 1), and other numbers that a double would change ({@link numberChange}).
 * @param maxValues at most this many members and items in total; an empty object or list counts as one
 * @throws InvalidJson, TooManyValues before it builds any value
 */
export function readJson(bytes: Uint8Array, maxValues = Infinity): unknown {
  const text = decode(bytes);
  const members = scan(bytes, maxValues);
  const value = parse(text);
  // JSON.parse keeps the last of duplicate keys, so some are missing.
  if (countMembers(value) !== members) {
    throw new InvalidJson('The request body has a duplicate key in an object.');
  }
  return value;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new InvalidJson('The request body is not valid UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InvalidJson(notJson);
  }
}

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;
const comma = 0x2c;
const colon = 0x3a;

/**
 * Scans once a text that may not be JSON at all. It always ends; JSON.parse validates the text afterwards.
 * Bytes are read faster than characters, and all that matters is ASCII.
 * @returns how many members the text has, each name counted as often as it stands there
 */
function scan(bytes: Uint8Array, maxValues: number): number {
  let depth = 0;
  let values = 0;
  let members = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) {
      at = endOfString(bytes, at);
    } else if (byte === colon) {
      members += 1;
    } else if (byte === comma) {
      if ((values += 1) > maxValues) throw new TooManyValues(maxValues);
    } else if (byte === 0x7b || byte === 0x5b) {
      if ((depth += 1) > maxNesting) {
        throw new InvalidJson(`The request body must nest at most ${maxNesting} levels.`);
      }
      if ((values += 1) > maxValues) throw new TooManyValues(maxValues);
    } else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1;
    } else if (byte === minus || (byte >= 0x30 && byte <= 0x39)) {
      const end = endOfNumber(bytes, at);
      if (mayChange(bytes, at, end)) checkNumber(decode(bytes.subarray(at, end)));
      at = end - 1;
    }
  }

  return members;
}

/** Returns the index of the closing quote, or one beyond the text when there is none. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && isOfNumber(bytes[at] ?? 0)) at += 1;
  return at;
}

/** Whether a byte is a digit, a sign, the point, or the letter of an exponent. */
function isOfNumber(byte: number): boolean {
  if (byte >= 0x30 && byte <= 0x39) return true;
  return byte === 0x2e || byte === minus || byte === 0x2b || byte === 0x65 || byte === 0x45;
}

/** A double keeps every digit of a short number, and its exponent if that has two digits. */
function mayChange(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start >= 16) return true;
  for (let at = start; at < end; at += 1) {
    if (bytes[at] === 0x65 || bytes[at] === 0x45) return end - at > 3;
  }
  return false;
}

function checkNumber(literal: string): void {
  const isUnsafe = /^-?\d+$/.test(literal) && !Number.isSafeInteger(Number(literal));
  const change = isUnsafe ? 'inexact' : numberChange(literal);
  if (change !== undefined) throw new InvalidJson(`The request body has ${changedNumbers[change]}`);
}

const changedNumbers: Readonly<Record<NumberChange, string>> = {
  inexact: 'an integer beyond ±(2^53 - 1).',
  infinite: 'a number beyond ±1.8e308, the range of a double.',
  zero: 'a nonzero number that is too small for a double.',
};

/** Counts the members of all objects. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value) members += countMembers(item);
  } else {
    for (const name in value) {
      members += 1 + countMembers((value as Readonly<Record<string, unknown>>)[name]);
    }
  }
  return members;
}
