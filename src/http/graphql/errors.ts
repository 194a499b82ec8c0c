// Errors of GraphQL over HTTP: what a client learns about a thrown value, and the status of a response without data.
// Their codes are those of Problems.
import type { GraphQLFormattedError } from 'graphql';
import { DomainError, type Issue } from '../../domain/errors.js';
import { originalOf } from '../../graphql/execute.js';
import { allProblems, ApiError, toApiError } from '../problems.js';

/** The `extensions` of an error. Its `code` equals the code of a Problem. */
export interface ErrorExtensions {
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly Issue<string>[];
  readonly retryAfterSeconds?: number;
}

/** Reports an internal error; called once per error. */
export type Report = (error: unknown) => void;

/**
 * Decides what the caller learns about a thrown value. A DomainError appears in full, because some of its
 * codes have no Problem. Anything else appears as the ApiError that REST would send.
 */
export function toErrorExtensions(thrown: unknown): ErrorExtensions {
  const error = thrown instanceof DomainError ? thrown : toApiError(thrown);
  const { code, detail, errors, retryAfterSeconds } = error;
  return { code, detail, errors, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}

/** What a client learns about a result that is an error: the first entry of {@link toErrorExtensions}. */
export function toIssue(thrown: unknown): Issue<string> {
  const { code, detail, errors } = toErrorExtensions(thrown);
  return errors[0] ?? { code, detail };
}

/** Statuses of codes without a Problem. All others are conflicts, which only internal operations have. */
const statusesWithoutProblem: Readonly<Record<string, number>> = {
  replay_unsettled: 503,
  test_limit_reached: 429,
  BAD_USER_INPUT: 400,
};

/** The status of a response without data, by the code of its first error. */
export function statusOf(code: unknown): number {
  const problems: Readonly<Record<string, { readonly status: number }>> = allProblems;
  return problems[String(code)]?.status ?? statusesWithoutProblem[String(code)] ?? 409;
}

/** GraphQL's own codes: the document of the client is wrong, and its author needs the original message. */
const clientErrorCodes: ReadonlySet<unknown> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'BAD_REQUEST',
  'BAD_USER_INPUT',
]);

/**
 * Two errors have no code in graphql-js: a required argument whose nullable variable is null, and
 * the notice that replaces further errors of variables.
 */
const withoutCode =
  /^(?:Argument "\w+" of (?:non-null|required) type |Too many errors processing variables)/;

/**
 * Creates the error formatter of `/graphql`. Errors in the client's request keep the message and the
 * upper-case code of GraphQL. All other errors become {@link ErrorExtensions}; internal ones are
 * reported.
 * @param count called with the code of each error; there are few codes
 */
export function createFormatError(
  report: Report,
  count: (code: string) => void,
): (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError {
  const reported = new WeakSet();
  const reportOnce = (thrown: unknown) => {
    if (thrown instanceof Object) {
      if (reported.has(thrown)) return;
      reported.add(thrown);
    }
    report(thrown);
  };

  return (formatted, error) => {
    const { message, locations, path } = formatted;
    const where = { ...(locations && { locations }), ...(path && { path }) };
    const thrown = originalOf(error);
    if (!(thrown instanceof DomainError || thrown instanceof ApiError)) {
      const code = withoutCode.test(message) ? 'BAD_USER_INPUT' : formatted.extensions?.['code'];
      if (clientErrorCodes.has(code)) {
        count(String(code));
        return { message, ...where, extensions: { code } };
      }
      reportOnce(thrown);
    }

    const extensions = toErrorExtensions(thrown);
    count(extensions.code);

    return { message: extensions.detail, ...where, extensions: { ...extensions } };
  };
}
