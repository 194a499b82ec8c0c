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

const quote = 0x22;
const backslash = 0x5c;
const notJson = 'The request body is not valid JSON.';

/**
 * Reads bytes as one JSON text in UTF-8 and skips a byte order mark. It refuses more than 64 levels, and
 * all that other readers would silently alter:
 * - malformed UTF-8;
 * - a member name twice in one object;
 * - numbers beyond a double, and integers beyond ±(2^53 - 1).
 * @param maxValues at most this many members and items in total; an empty object or list counts as one
 * @throws InvalidJson, TooManyValues before it builds any value
 */
export function readJson(bytes: Uint8Array, maxValues = Infinity): unknown {
  const text = decode(bytes);
  scan(text, maxValues);
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
 * Scans once a text that may not be JSON at all. It always ends; JSON.parse validates the text afterwards.
 */
function scan(text: string, maxValues: number): void {
  /** The names seen so far in each open object; undefined for an array. */
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
      if ((values += 1) > maxValues) throw new TooManyValues(maxValues);
      expectsName = code === 0x7b;
      open.push(expectsName ? new Set() : undefined);
    } else if (code === 0x7d || code === 0x5d) {
      open.pop();
      expectsName = false;
    } else if (code === 0x2c) {
      if ((values += 1) > maxValues) throw new TooManyValues(maxValues);
      expectsName = open.at(-1) !== undefined;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const end = endOfNumber(text, at);
      checkNumber(text.slice(at, end));
      at = end - 1;
    }
  }
}

/** Returns the index of the closing quote, or the length of the text when there is none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** Whether an odd number of backslashes stands before a quote inside a string. */
function isEscaped(text: string, quoteAt: number): boolean {
  let at = quoteAt;
  while (text.charCodeAt(at - 1) === backslash) at -= 1;
  return (quoteAt - at) % 2 === 1;
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
  // A double keeps every digit of a number this short.
  if (literal.length < 16 && !/[eE]/.test(literal)) return;
  const value = Number(literal);
  if (Number.isNaN(value)) return;
  if (!Number.isFinite(value)) {
    throw new InvalidJson('The request body has a number beyond ±1.8e308, the range of a double.');
  }
  if (/^-?\d+$/.test(literal) && !Number.isSafeInteger(value)) {
    throw new InvalidJson('The request body has an integer beyond ±(2^53 - 1).');
  }
}
