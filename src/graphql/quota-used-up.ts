import type { Refusal } from './refusal.js';

/** Thrown when an account has asked for too much of something. */
export class QuotaUsedUp extends Error {
  constructor(
    readonly refusal: Refusal,
    readonly headers: Readonly<Record<string, string>>,
  ) {
    super(refusal.detail);
    this.name = 'QuotaUsedUp';
  }
}
