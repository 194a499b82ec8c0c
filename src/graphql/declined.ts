import type { Refusal } from './refusal.js';

/** An answer that is no GraphQL result, though it has the form of one. */
export class Declined extends Error {
  constructor(
    readonly status: number,
    readonly refusal: Refusal,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(refusal.detail);
    this.name = 'Declined';
  }
}
