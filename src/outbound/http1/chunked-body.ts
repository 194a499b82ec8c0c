import type { ContentSink } from './content.js';
import { MalformedResponse } from './malformed-response.js';
import { parseHeaderFields } from './header-fields.js';

/** What a {@link ChunkedBody} found in some bytes. */
export interface ChunkedBytes {
  /** The body and its trailers are complete. */
  readonly ended: boolean;
  /** Number of bytes that belong to the body. */
  readonly taken: number;
  /** Number of those that are content. */
  readonly content: number;
}

const lf = 10;
const cr = 13;
/** In bytes: a chunk-size line with extensions, or all trailers together. */
const maxLineBytes = 4_096;
/** RFC 9112 §7.1.1, without the white space around extensions that senders must not generate. */
const sizeLine =
  /^([\da-f]{1,8})(?:;[!#$%&'*+\-.^_`|~\w]+(?:=(?:[!#$%&'*+\-.^_`|~\w]+|"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"))?)*$/i;

/**
 * Finds the end of a chunked body and counts its content (RFC 9112 §7.1). Keeps at most one line of
 * its framing.
 */
export class ChunkedBody {
  /** The part of a line that has arrived. */
  #line = '';
  /** The element that comes next. */
  #place: 'size' | 'content' | 'content end' | 'trailers' = 'size';
  #remaining = 0;
  #trailerBytes = 0;

  /**
   * @param onContent gets the content among these bytes
   * @throws MalformedResponse
   */
  feed(bytes: Buffer, onContent?: ContentSink): ChunkedBytes {
    let at = 0;
    let content = 0;
    while (at < bytes.length) {
      if (this.#place === 'content') {
        const taken = Math.min(this.#remaining, bytes.length - at);
        this.#remaining -= taken;
        content += taken;
        onContent?.(bytes.subarray(at, at + taken));
        at += taken;
        if (this.#remaining === 0) this.#place = 'content end';
      } else {
        const end = bytes.indexOf(lf, at);
        const to = end < 0 ? bytes.length : end + 1;
        this.#line += bytes.toString('latin1', at, to);
        if (this.#line.length > maxLineBytes)
          throw new MalformedResponse(`A chunk-size line exceeds ${maxLineBytes} bytes.`);
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
      throw new MalformedResponse('A line of the chunked body ends without CR.');
    return line.slice(0, -2);
  }

  /** @returns whether this line was the last one */
  #take(line: string): boolean {
    if (this.#place === 'trailers') return line === '' || this.#takeTrailer(line);
    if (this.#place === 'content end') {
      if (line !== '') throw new MalformedResponse('A chunk is longer than its size.');
      this.#place = 'size';
      return false;
    }
    const [, size] = sizeLine.exec(line) ?? [];
    if (size === undefined) throw new MalformedResponse('A chunk size is malformed.');
    this.#remaining = parseInt(size, 16);
    this.#place = this.#remaining > 0 ? 'content' : 'trailers';
    return false;
  }

  /** Framing fields must not appear in trailers (RFC 9110 §6.5.1). */
  #takeTrailer(line: string): false {
    this.#trailerBytes += line.length + 2;
    if (this.#trailerBytes > maxLineBytes)
      throw new MalformedResponse(`The trailers exceed ${maxLineBytes} bytes.`);
    if (parseHeaderFields(`${line}\r\n`).size > 0)
      throw new MalformedResponse('A framing field appears in the trailers.');
    return false;
  }
}
