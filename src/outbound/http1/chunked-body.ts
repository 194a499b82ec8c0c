import { MalformedResponse } from './malformed-response.js';
import { parseHeaderFields } from './header-fields.js';

/** What a {@link ChunkedBody} made of some bytes. */
export interface ChunkedBytes {
  /** The body and its trailers have ended. */
  readonly ended: boolean;
  /** How many of the bytes belonged to it. */
  readonly taken: number;
  /** How many of those were content. */
  readonly content: number;
}

const [lf, cr] = [10, 13];
/** In bytes: a size with its extensions, or all trailers together. */
const longestLine = 4_096;
/** RFC 9112 section 7.1.1, without the white space around extensions that it forbids to send. */
const sizeLine =
  /^([\da-f]{1,8})(?:;[!#$%&'*+\-.^_`|~\w]+(?:=(?:[!#$%&'*+\-.^_`|~\w]+|"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"))?)*$/i;

/**
 * Finds the end of a chunked body and counts its content; keeps no more than one line of its framing
 * (RFC 9112 section 7.1).
 */
export class ChunkedBody {
  /** What has arrived of a line. */
  #line = '';
  /** Where it is: at the line of a size, within content, at its end, or behind the last chunk. */
  #place: 'size' | 'content' | 'content end' | 'trailers' = 'size';
  #missing = 0;
  #trailerBytes = 0;

  /** @throws BrokenAnswer */
  feed(bytes: Buffer): ChunkedBytes {
    let [at, content] = [0, 0];
    while (at < bytes.length) {
      if (this.#place === 'content') {
        const taken = Math.min(this.#missing, bytes.length - at);
        this.#missing -= taken;
        content += taken;
        at += taken;
        if (this.#missing === 0) this.#place = 'content end';
      } else {
        const end = bytes.indexOf(lf, at);
        const to = end < 0 ? bytes.length : end + 1;
        this.#line += bytes.toString('latin1', at, to);
        if (this.#line.length > longestLine) throw new MalformedResponse('a line is too long');
        at = to;
        if (end >= 0 && this.#take(this.#endedLine())) return { ended: true, taken: at, content };
      }
    }
    return { ended: false, taken: at, content };
  }

  #endedLine(): string {
    const line = this.#line;
    this.#line = '';
    if (line.charCodeAt(line.length - 2) !== cr)
      throw new MalformedResponse('a line ends without CR');
    return line.slice(0, -2);
  }

  /** @returns whether this line was the last one */
  #take(line: string): boolean {
    if (this.#place === 'trailers') return line === '' || this.#takeTrailer(line);
    if (this.#place === 'content end') {
      if (line !== '') throw new MalformedResponse('a chunk is longer than it said');
      this.#place = 'size';
      return false;
    }
    const [, size] = sizeLine.exec(line) ?? [];
    if (size === undefined) throw new MalformedResponse('this is no size of a chunk');
    this.#missing = parseInt(size, 16);
    this.#place = this.#missing > 0 ? 'content' : 'trailers';
    return false;
  }

  /** RFC 9110 section 6.5.1: what counts in a head must not come behind the body. */
  #takeTrailer(line: string): false {
    this.#trailerBytes += line.length + 2;
    if (this.#trailerBytes > longestLine) throw new MalformedResponse('the trailers are too long');
    if (parseHeaderFields(`${line}\r\n`).size > 0)
      throw new MalformedResponse('this field is no trailer');
    return false;
  }
}
