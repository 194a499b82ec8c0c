import type { Issue } from '../domain/errors.js';

/** What `extensions` of an error holds; `code` is spelt as in a Problem of the public interface. */
export interface ErrorExtensions {
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly Issue<string>[];
  readonly retryAfterSeconds?: number;
}
