import { randomFillSync } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const timeLength = 8;
const randomLength = 16;

/** The prefixes of all identifiers. */
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
  | 'rcv'
  | 'era'
  | 'ses'
  | 'ops'
  | 'lnk'
  | 'plk'
  | 'pse'
  | 'aud'
  | 'prod'
  | 'req';

/**
 * Makes an identifier: prefix, `_`, 8 base62 characters of milliseconds, 16 random ones.
 * Identifiers of one prefix sort by `at` in byte order, so an id shows its partition.
 */
export function makeId(prefix: IdPrefix, at: Date): string {
  return `${prefix}_${encodeTime(at)}${randomBase62(randomLength)}`;
}

/** Returns the lower bound of all identifiers of `prefix` made at `at`; only for ranges, never an id. */
export function smallestId(prefix: IdPrefix, at: Date): string {
  return `${prefix}_${encodeTime(at)}`;
}

/** Reads from an identifier of {@link makeId} when it was made. */
export function timestampOf(id: string): Date {
  const start = id.indexOf('_') + 1;
  let milliseconds = 0;
  for (const digit of id.slice(start, start + timeLength)) {
    milliseconds = milliseconds * 62 + alphabet.indexOf(digit);
  }
  return new Date(milliseconds);
}

/** Whether a client's text can be an identifier of `prefix`. If not, no row has it: skip the query. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[A-Za-z0-9_-]{5,64}$/.test(text);
}

/** Returns `length` characters of [0-9A-Za-z], equally likely, from a cryptographic source. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    const byte = nextRandomByte();
    // 248 = 4 × 62: bytes of 248 and above would favour the first characters.
    if (byte < 248) text += alphabet.charAt(byte % 62);
  }
  return text;
}

// One call fetches many bytes: one call per identifier took 2 % of a worker's time.
const randomBytes = Buffer.alloc(4_096);
let usedBytes = randomBytes.length;

function nextRandomByte(): number {
  if (usedBytes === randomBytes.length) {
    randomFillSync(randomBytes);
    usedBytes = 0;
  }
  const byte = randomBytes[usedBytes] ?? 0;
  // Used bytes do not stay in memory, because tokens are made of them.
  randomBytes[usedBytes] = 0;
  usedBytes += 1;
  return byte;
}

/** Many identifiers are made in one millisecond. */
let lastTime = { milliseconds: 0, text: '0'.repeat(timeLength) };

function encodeTime(at: Date): string {
  const milliseconds = at.getTime();
  if (milliseconds !== lastTime.milliseconds) {
    lastTime = { milliseconds, text: encodeMilliseconds(milliseconds) };
  }
  return lastTime.text;
}

function encodeMilliseconds(milliseconds: number): string {
  let remaining = milliseconds;
  let text = '';
  for (let index = 0; index < timeLength; index += 1) {
    text = alphabet.charAt(remaining % 62) + text;
    remaining = Math.floor(remaining / 62);
  }
  return text;
}
