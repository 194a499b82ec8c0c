import type { IncomingMessage } from 'node:http';
import type { Read, Transact } from '../domain/tx.js';
import type { RateLimits } from '../api/rate-limit.js';

/** Dependencies of the checkout and offer pages. */
export interface PageOptions {
  readonly read: Read;
  readonly transact: Transact;
  readonly limits: RateLimits;
  /** The base URL of the service, without a trailing slash. */
  readonly origin: string;
  /** Returns the client's address as the trusted proxies report it. */
  readonly addressOf: (request: IncomingMessage) => string;
}
