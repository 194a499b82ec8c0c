/** The text is not the JSON that we accept (H92); `detail` says why, in words for the sender. */
export class InvalidJson extends Error {
  constructor(readonly detail: string) {
    super(detail);
    this.name = 'InvalidJson';
  }
}

/** The text holds more members and items than may be worked on. */
export class TooManyValues extends Error {
  constructor(readonly most: number) {
    super(`more than ${most} members and items`);
    this.name = 'TooManyValues';
  }
}

/** Levels of objects and arrays, the outermost included (H92). */
export const maxNesting = 64;

const quote = 0x22;
const backslash = 0x5c;
const notJson = 'The request body is not valid JSON.';

/**
 * Reads bytes as one JSON text in UTF-8 (a byte order mark is passed over) and refuses what
 * JSON.parse would silently alter: a member name twice in an object, numbers beyond a double,
 * integers beyond ±(2^53 - 1), malformed UTF-8; and more than 64 levels (H92).
 * @param most members and items in all; an empty object or list counts as one
 * @throws InvalidJson, TooManyValues before anything is built
 */
export function readJson(bytes: Uint8Array, most = Infinity): unknown {
  const text = decode(bytes);
  scan(text, most);
  return parse(text);
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

/**
 * One pass over text that may not be JSON at all: it never fails to end, and whatever it does not
 * refuse JSON.parse judges afterwards.
 */
function scan(text: string, most: number): void {
  /** For each open object the names it has so far; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  let expectsName = false;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      if (expectsName) addName(open.at(-1), text.slice(at, end + 1));
      expectsName = false;
      at = end;
    } else if (code === 0x7b || code === 0x5b) {
      if (open.length === maxNesting) {
        throw new InvalidJson(`The request body must nest at most ${maxNesting} levels.`);
      }
      if ((values += 1) > most) throw new TooManyValues(most);
      expectsName = code === 0x7b;
      open.push(expectsName ? new Set() : undefined);
    } else if (code === 0x7d || code === 0x5d) {
      open.pop();
      expectsName = false;
    } else if (code === 0x2c) {
      if ((values += 1) > most) throw new TooManyValues(most);
      expectsName = open.at(-1) !== undefined;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const end = endOfNumber(text, at);
      checkNumber(text.slice(at, end));
      at = end - 1;
    }
  }
}

/** Index of the closing quote; of the last character when there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) return at;
  }
  return text.length;
}

function addName(names: Set<string> | undefined, literal: string): void {
  const name = literal.includes('\\') ? parse(literal) : literal.slice(1, -1);
  if (names?.has(name as string)) {
    throw new InvalidJson('The request body repeats a member name in one object.');
  }
  names?.add(name as string);
}

function endOfNumber(text: string, start: number): number {
  const number = /[-+.0-9eE]*/y;
  number.lastIndex = start;
  number.test(text);
  return number.lastIndex;
}

function checkNumber(literal: string): void {
  // Short ones are exact whatever they are.
  if (literal.length < 16 && !/[eE]/.test(literal)) return;
  const value = Number(literal);
  if (Number.isNaN(value)) return;
  if (!Number.isFinite(value)) {
    throw new InvalidJson('The request body has a number that is too large.');
  }
  if (/^-?\d+$/.test(literal) && !Number.isSafeInteger(value)) {
    throw new InvalidJson('The request body has an integer beyond ±(2^53 - 1).');
  }
}
