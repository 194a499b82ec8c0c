import { type ResponseHead, parseHead } from './response-head.js';
import { MalformedResponse } from './malformed-response.js';
import { ChunkedBody } from './chunked-body.js';

/** Bounds of one answer in bytes: each of its heads, its body, and all of it with framing. */
export const responseLimits = {
  head: 16 * 1_024,
  body: 64 * 1_024,
  all: 2 * (16 + 64) * 1_024,
} as const;

/**
 * How far an answer is: more of it is to come, it is whole and its connection may carry another
 * request, or it is whole and was the last one.
 */
export type Progress = 'more' | 'whole' | 'last';

/** The bytes of a body that are to come: of a known number, in chunks, or all until the end. */
type PendingBody =
  | { readonly kind: 'sized'; remaining: number }
  | { readonly kind: 'chunked'; readonly chunks: ChunkedBody }
  | { readonly kind: 'open' };

/**
 * Reads one answer of HTTP/1.0 or HTTP/1.1 as it arrives, 1xx answers before it included, without
 * keeping more than one head of it (RFC 9112). Strict: what two readers could understand in two ways
 * is refused, and bytes that follow an answer end its connection.
 */
export class ResponseParser {
  readonly #onHead: (head: ResponseHead) => void;
  /** The beginning of a head that has not arrived whole. */
  #partialHead = '';
  #body: PendingBody | undefined;
  #keepAlive = false;
  #idleMs: number | undefined;
  #receivedBytes = 0;
  #bodyBytes = 0;

  /** @param onHead hears of each head, final or 1xx, before its body is read */
  constructor(onHead: (head: ResponseHead) => void) {
    this.#onHead = onHead;
  }

  /** How long the receiver says that it keeps the connection after this answer; undefined if not. */
  get idleMs(): number | undefined {
    return this.#idleMs;
  }

  /**
   * Takes what has arrived.
   * @throws BrokenAnswer; a head that was heard of before stays true
   */
  feed(bytes: Buffer): Progress {
    this.#receivedBytes += bytes.length;
    if (this.#receivedBytes > responseLimits.all)
      throw new MalformedResponse('the answer is too long');
    let at = 0;
    while (!this.#body) {
      const end = this.#headEnd(bytes, at);
      if (end === undefined) return 'more';
      at = end;
    }
    return this.#feedBody(this.#body, at === 0 ? bytes : bytes.subarray(at));
  }

  /** Whether the answer is whole when the other side sends nothing more. */
  get endsWithConnection(): boolean {
    return this.#body?.kind === 'open';
  }

  /** Where the head that begins or goes on at `at` ends; undefined when it has not ended. */
  #headEnd(bytes: Buffer, at: number): number | undefined {
    // Its last four bytes may have arrived in parts, so these are looked at together.
    const before = this.#partialHead.length;
    const text = this.#partialHead + bytes.toString('latin1', at, at + responseLimits.head);
    const end = text.indexOf('\r\n\r\n', Math.max(0, before - 3));
    if (end < 0 ? text.length >= responseLimits.head : end + 4 > responseLimits.head) {
      throw new MalformedResponse('the head is too long');
    }
    if (end < 0) {
      const lines = text.slice(Math.max(0, before - 1));
      if (!canStartStatusLine(text) || bareLineEnd.test(lines))
        throw new MalformedResponse('this is not HTTP');
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
    this.#onHead({ status: head.status, retryAfter: head.retryAfter });
  }

  #feedBody(body: PendingBody, bytes: Buffer): Progress {
    switch (body.kind) {
      case 'sized': {
        const taken = Math.min(body.remaining, bytes.length);
        body.remaining -= taken;
        this.#countBodyBytes(taken);
        return body.remaining > 0 ? 'more' : this.#complete(taken < bytes.length);
      }
      case 'chunked': {
        const { ended, taken, content } = body.chunks.feed(bytes);
        this.#countBodyBytes(content);
        return ended ? this.#complete(taken < bytes.length) : 'more';
      }
      case 'open':
        this.#countBodyBytes(bytes.length);
        return 'more';
    }
  }

  #countBodyBytes(bytes: number): void {
    this.#bodyBytes += bytes;
    if (this.#bodyBytes > responseLimits.body) throw new MalformedResponse('the body is too long');
  }

  /** Bytes that nobody asked for would be taken for the next answer. */
  #complete(hasExtraBytes: boolean): Progress {
    return this.#keepAlive && !hasExtraBytes ? 'whole' : 'last';
  }
}

const bareLineEnd = /[^\r]\n|\r[^\n]/;

/** Whether a status line may begin like this; without an end, nonsense would be waited for. */
function canStartStatusLine(text: string): boolean {
  return 'HTTP/1.'.startsWith(text.slice(0, 7));
}
