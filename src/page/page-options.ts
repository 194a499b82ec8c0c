import type { IncomingMessage } from 'node:http';
import type { Read, Transact } from '../domain/tx.js';
import type { RateLimits } from '../api/rate-limit.js';

/** What the pages of checkouts and offers need. */
export interface PageOptions {
  readonly read: Read;
  readonly transact: Transact;
  readonly limits: RateLimits;
  /** Where the service is reached, without a trailing slash. */
  readonly origin: string;
  /** The client's address behind the proxies that are trusted. */
  readonly addressOf: (request: IncomingMessage) => string;
}
