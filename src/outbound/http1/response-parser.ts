import type { ContentSink } from './content.js';
import { type ResponseHead, parseHead } from './response-head.js';
import { MalformedResponse } from './malformed-response.js';
import { ChunkedBody } from './chunked-body.js';

/** Limits of one response in bytes: each head, the body, and everything with its framing. */
export const responseLimits = {
  head: 16 * 1_024,
  body: 64 * 1_024,
  all: 2 * (16 + 64) * 1_024,
} as const;

/**
 * State of a response: `more` bytes follow, it is `whole` and its connection is reusable, or it is
 * the `last` of its connection.
 */
export type Progress = 'more' | 'whole' | 'last';

/** The rest of a body: a known number of bytes, chunks, or everything until the end. */
type PendingBody =
  | { readonly kind: 'sized'; remaining: number }
  | { readonly kind: 'chunked'; readonly chunks: ChunkedBody }
  | { readonly kind: 'open' };

/**
 * Parses one HTTP/1.0 or HTTP/1.1 response as it arrives, with the 1xx responses before it (RFC
 * 9112). Keeps at most one head in memory. Strict: it refuses ambiguous bytes, and bytes after a
 * response end its connection.
 */
export class ResponseParser {
  readonly #onHead: (head: ResponseHead, text: string) => void;
  /** Gets the content of the body, from the next bytes on. Defaults to none. */
  onContent: ContentSink | undefined;
  /** The start of an incomplete head. */
  #partialHead = '';
  #body: PendingBody | undefined;
  #keepAlive = false;
  #idleMs: number | undefined;
  #receivedBytes = 0;
  #bodyBytes = 0;

  /** @param onHead called with each head, 1xx or final, and its text, before its body is read */
  constructor(onHead: (head: ResponseHead, text: string) => void) {
    this.#onHead = onHead;
  }

  /** The receiver's idle timeout after this response, in milliseconds; undefined if it states none. */
  get idleMs(): number | undefined {
    return this.#idleMs;
  }

  /**
   * Parses the bytes that have arrived.
   * @throws MalformedResponse; heads passed to `onHead` before stay valid
   */
  feed(bytes: Buffer): Progress {
    this.#receivedBytes += bytes.length;
    if (this.#receivedBytes > responseLimits.all)
      throw new MalformedResponse(`The response exceeds ${responseLimits.all} bytes.`);
    let at = 0;
    while (!this.#body) {
      const end = this.#headEnd(bytes, at);
      if (end === undefined) return 'more';
      at = end;
    }
    return this.#feedBody(this.#body, at === 0 ? bytes : bytes.subarray(at));
  }

  /** Whether the response is complete if the receiver sends nothing more. */
  get endsWithConnection(): boolean {
    return this.#body?.kind === 'open';
  }

  /** Where the head that starts or continues at `at` ends; undefined while it is incomplete. */
  #headEnd(bytes: Buffer, at: number): number | undefined {
    // The last four bytes of a head may arrive in parts, so the parts are joined.
    const before = this.#partialHead.length;
    const text = this.#partialHead + bytes.toString('latin1', at, at + responseLimits.head);
    const end = text.indexOf('\r\n\r\n', Math.max(0, before - 3));
    if (end < 0 ? text.length >= responseLimits.head : end + 4 > responseLimits.head) {
      throw new MalformedResponse(`A head exceeds ${responseLimits.head} bytes.`);
    }
    if (end < 0) {
      const lines = text.slice(Math.max(0, before - 1));
      if (!canStartStatusLine(text) || bareLineEnd.test(lines))
        throw new MalformedResponse('The response is not HTTP/1.');
      this.#partialHead = text;
      return undefined;
    }
    this.#partialHead = '';
    this.#takeHead(text.slice(0, end + 2));
    return at + end + 4 - before;
  }

  #takeHead(text: string): void {
    const head = parseHead(text);
    this.#keepAlive = head.keepAlive;
    this.#idleMs = head.idleMs;
    if (head.body === 'chunked') this.#body = { kind: 'chunked', chunks: new ChunkedBody() };
    else if (head.body === 'open') this.#body = { kind: 'open' };
    else if (head.body !== undefined) this.#body = { kind: 'sized', remaining: head.body };
    this.#onHead({ status: head.status, retryAfter: head.retryAfter }, text);
  }

  #feedBody(body: PendingBody, bytes: Buffer): Progress {
    switch (body.kind) {
      case 'sized': {
        const taken = Math.min(body.remaining, bytes.length);
        body.remaining -= taken;
        this.#countBodyBytes(taken);
        this.onContent?.(bytes.subarray(0, taken));
        return body.remaining > 0 ? 'more' : this.#complete(taken < bytes.length);
      }
      case 'chunked': {
        const { ended, taken, content } = body.chunks.feed(bytes, this.onContent);
        this.#countBodyBytes(content);
        return ended ? this.#complete(taken < bytes.length) : 'more';
      }
      case 'open':
        this.#countBodyBytes(bytes.length);
        this.onContent?.(bytes);
        return 'more';
    }
  }

  #countBodyBytes(bytes: number): void {
    this.#bodyBytes += bytes;
    if (this.#bodyBytes > responseLimits.body)
      throw new MalformedResponse(`The body exceeds ${responseLimits.body} bytes.`);
  }

  /** Unsolicited bytes would be taken for the response to the next request. */
  #complete(hasExtraBytes: boolean): Progress {
    return this.#keepAlive && !hasExtraBytes ? 'whole' : 'last';
  }
}

const bareLineEnd = /[^\r]\n|\r[^\n]/;

/** Whether a status line can start like this. Fails early, because other text may never end. */
function canStartStatusLine(text: string): boolean {
  return 'HTTP/1.'.startsWith(text.slice(0, 7));
}
