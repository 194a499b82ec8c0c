import type { Issue } from '../domain/errors.js';

/** The `extensions` of an error. Its `code` equals the code of a Problem. */
export interface ErrorExtensions {
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly Issue<string>[];
  readonly retryAfterSeconds?: number;
}
