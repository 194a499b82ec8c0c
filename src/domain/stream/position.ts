// The position of a client in a stream, as the opaque text that it sends back to go on where it was. It holds all
// that another process needs, so a stream survives its process.
import { emptySnapshot, type Snapshot } from './snapshot.js';

/** A snapshot, and a time in milliseconds before which no row was written that it does not see. */
export interface Bound {
  readonly snapshot: Snapshot;
  readonly since: number;
}

/** The point up to which a client has the stream. */
export interface StreamPosition {
  /** The database whose transactions it names. */
  readonly database: string;
  /** The client has all that this snapshot sees. */
  readonly base: Bound;
  /** Of the items that `target` sees and `base` does not, the client has those up to `after`. */
  readonly within?: { readonly target: Bound; readonly after: string };
}

/** Enough for a snapshot with a thousand running transactions. */
const maxLength = 4_096;
const version = 1;
const databaseLength = 12;
/** An id without its prefix, and a kind. */
const placePattern = /^[0-9A-Za-z_-]{1,64} [a-z]+$/;

/** Writes a position as an opaque text of about 40 to 100 characters of base64url. */
export function encodePosition({ database, base, within }: StreamPosition): string {
  const bytes = [version, ...Buffer.from(database, 'latin1')];
  writeBound(bytes, base);
  if (within) {
    writeBound(bytes, within.target);
    bytes.push(...Buffer.from(within.after, 'latin1'));
  }
  return Buffer.from(bytes).toString('base64url');
}

/** Reads what {@link encodePosition} wrote; undefined for other texts. */
export function decodePosition(text: string): StreamPosition | undefined {
  if (text.length > maxLength || !/^[A-Za-z0-9_-]+$/.test(text)) return undefined;

  const reader = new Reader(Buffer.from(text, 'base64url'));
  try {
    if (reader.byte() !== version) return undefined;
    const database = reader.text(databaseLength);
    const base = readBound(reader);
    if (reader.atEnd) return { database, base };
    const target = readBound(reader);
    const after = reader.text();
    return placePattern.test(after) ? { database, base, within: { target, after } } : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns the position before all rows from `since` on. */
export function positionAt(database: string, since: number): StreamPosition {
  return { database, base: { snapshot: emptySnapshot, since } };
}

function writeBound(bytes: number[], { snapshot, since }: Bound): void {
  const { xmin, xmax, running } = snapshot;
  const numbers = [xmin, xmax - xmin, BigInt(Math.floor(since)), BigInt(running.length)];
  let before = xmin;
  for (const xid of running) {
    numbers.push(xid - before);
    before = xid;
  }
  for (const value of numbers) writeNumber(bytes, value);
}

function readBound(reader: Reader): Bound {
  const xmin = reader.number();
  const xmax = xmin + reader.number();
  const since = Number(reader.number());
  const running: bigint[] = [];
  let before = xmin;
  for (let left = reader.number(); left > 0n; left -= 1n) {
    before += reader.number();
    running.push(before);
  }

  const ascending = running.every((xid, index) => index === 0 || xid > (running[index - 1] ?? xid));
  const beyond = running.some((xid) => xid >= xmax);
  const latest = 8.64e15;
  if (xmin < 1n || beyond || !ascending || since > latest) throw new RangeError('snapshot');
  if (xmax >= 2n ** 63n) throw new RangeError('transaction id');

  return { snapshot: { xmin, xmax, running }, since };
}

function writeNumber(bytes: number[], value: bigint): void {
  let rest = value;
  while (rest >= 128n) {
    bytes.push(Number(rest % 128n) + 128);
    rest /= 128n;
  }
  bytes.push(Number(rest));
}

class Reader {
  #at = 0;

  constructor(readonly bytes: Buffer) {}

  get atEnd(): boolean {
    return this.#at === this.bytes.length;
  }

  byte(): number {
    const value = this.bytes.readUInt8(this.#at);
    this.#at += 1;
    return value;
  }

  number(): bigint {
    let value = 0n;
    for (let place = 0n; place < 70n; place += 7n) {
      const byte = this.byte();
      value += BigInt(byte % 128) << place;
      if (byte < 128) return value;
    }
    throw new RangeError('number');
  }

  text(length = this.bytes.length - this.#at): string {
    const text = this.bytes.toString('latin1', this.#at, this.#at + length);
    this.#at += length;
    if (this.#at > this.bytes.length) throw new RangeError('end');
    return text;
  }
}
