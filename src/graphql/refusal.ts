import type { ErrorEntry } from '../domain/errors.js';

/** What `extensions` of an error holds; `code` is spelt as in a Problem of the public interface. */
export interface Refusal {
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly ErrorEntry<string>[];
  readonly retryAfterSeconds?: number;
}
