import type { ErrorExtensions } from './error-extensions.js';

/** Thrown when an account has used up a quota. */
export class RateLimitExceeded extends Error {
  constructor(
    readonly extensions: ErrorExtensions,
    readonly headers: Readonly<Record<string, string>>,
  ) {
    super(extensions.detail);
    this.name = 'RateLimitExceeded';
  }
}
