import type { ErrorExtensions } from './error-extensions.js';

/** Thrown when an account has asked for too much of something. */
export class RateLimitExceeded extends Error {
  constructor(
    readonly extensions: ErrorExtensions,
    readonly headers: Readonly<Record<string, string>>,
  ) {
    super(extensions.detail);
    this.name = 'RateLimitExceeded';
  }
}
