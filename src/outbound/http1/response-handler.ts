import type { ContentSink } from './content.js';
import type { ResponseHead } from './response-head.js';

/** Receives the events of one request. `ended` or `failed` is the last. */
export interface ResponseHandler {
  /**
   * The connection is open. Calls `send` when the request may be sent. Defaults to at once. It is
   * called again if the connection is lost meanwhile and a new one opens.
   */
  ready?(send: () => void): void;
  /** The connection is open, and the request is being sent. */
  sent(): void;
  /** The system has taken the last byte of the request. */
  readonly written?: () => void;
  /** The first bytes of a response have arrived. */
  firstByte?(): void;
  /**
   * A response head has arrived: a 1xx or the final one.
   * @param text the head without the empty line after it, as Latin-1
   * @returns gets the content of the body
   */
  head(head: ResponseHead, text: string): ContentSink | undefined;
  /** All bytes that have arrived are parsed, and the response goes on. */
  incomplete?(): void;
  /**
   * The whole response has arrived.
   * @param reusable whether the connection may carry another request
   */
  ended(reusable: boolean): void;
  failed(error: Error): void;
}
