import { randomFillSync } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const timeLength = 8;
const randomLength = 16;

/** The prefixes of all identifiers, by what they name (H12). */
export type IdPrefix =
  | 'acc'
  | 'mem'
  | 'crd'
  | 'whs'
  | 'sec'
  | 'evt'
  | 'pdl'
  | 'whd'
  | 'ntc'
  | 'chk'
  | 'ord'
  | 'pay'
  | 'rfd'
  | 'inv'
  | 'off'
  | 'prod'
  | 'req';

/**
 * Makes an identifier: prefix, `_`, 8 base62 characters of milliseconds, 16 random ones (H12).
 * Identifiers of one prefix sort by `at` in byte order, so an id names its partition.
 */
export function makeId(prefix: IdPrefix, at: Date): string {
  return `${prefix}_${encodeTime(at)}${randomBase62(randomLength)}`;
}

/** The smallest identifier of `prefix` made at `at`; a bound for ranges, never handed out. */
export function smallestId(prefix: IdPrefix, at: Date): string {
  return `${prefix}_${encodeTime(at)}`;
}

/** When an identifier of ours was made, by its own account. */
export function timestampOf(id: string): Date {
  const start = id.indexOf('_') + 1;
  let milliseconds = 0;
  for (const digit of id.slice(start, start + timeLength)) {
    milliseconds = milliseconds * 62 + alphabet.indexOf(digit);
  }
  return new Date(milliseconds);
}

/** Whether a text that somebody sent can be an identifier of `prefix`; what cannot names nothing. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[A-Za-z0-9_-]{5,64}$/.test(text);
}

/** `length` characters of [0-9A-Za-z], each from a cryptographic source and equally likely. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    const byte = nextRandomByte();
    // 248 = 4 × 62: larger bytes would favour the first letters.
    if (byte < 248) text += alphabet.charAt(byte % 62);
  }
  return text;
}

// One call for many bytes: a call for each identifier cost a worker 2 % of its time.
const randomBytes = Buffer.alloc(4_096);
let usedBytes = randomBytes.length;

function nextRandomByte(): number {
  if (usedBytes === randomBytes.length) {
    randomFillSync(randomBytes);
    usedBytes = 0;
  }
  const byte = randomBytes.readUInt8(usedBytes);
  // A byte that was handed out does not stay in memory.
  randomBytes.writeUInt8(0, usedBytes);
  usedBytes += 1;
  return byte;
}

function encodeTime(at: Date): string {
  let remaining = at.getTime();
  let text = '';
  for (let index = 0; index < timeLength; index += 1) {
    text = alphabet.charAt(remaining % 62) + text;
    remaining = Math.floor(remaining / 62);
  }
  return text;
}
