import { randomFillSync } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const timeLength = 8;
const randomLength = 16;

/** The prefix of an identifier. `look-up-id.ts` says what each names. */
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
 * Creates an identifier: prefix, `_`, the milliseconds as 8 base62 characters, and 16 random characters. Identifiers
 * with the same prefix sort by time in byte order, so an id shows its partition.
 */
export function makeId(prefix: IdPrefix, at: Date): string {
  return `${prefix}_${encodeTime(at)}${randomBase62(randomLength)}`;
}

/** Returns the lower bound of all identifiers of `prefix` made at `at`. It is a bound of ranges, not an id. */
export function smallestId(prefix: IdPrefix, at: Date): string {
  return `${prefix}_${encodeTime(at)}`;
}

/** Returns when {@link makeId} made an identifier. */
export function timestampOf(id: string): Date {
  const start = id.indexOf('_') + 1;
  let milliseconds = 0;
  for (const digit of id.slice(start, start + timeLength)) {
    milliseconds = milliseconds * 62 + alphabet.indexOf(digit);
  }
  return new Date(milliseconds);
}

/** Whether a text of a client can be an identifier of `prefix`. If not, no row has it and no query is needed. */
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
  // Tokens are made of these bytes, so they do not stay in memory.
  randomBytes[usedBytes] = 0;
  usedBytes += 1;
  return byte;
}

/** Remembers the last result, because many identifiers are made in one millisecond. */
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
