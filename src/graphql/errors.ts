import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { allProblems, ApiError, toApiError } from '../api/problem.js';
import { DomainError, type Issue } from '../domain/errors.js';

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
 * Decides what the caller learns of a thrown value. A DomainError appears in full, because some of its
 * codes have no Problem; anything else as the ApiError that REST would send.
 */
export function toErrorExtensions(thrown: unknown): ErrorExtensions {
  const error = thrown instanceof DomainError ? thrown : toApiError(thrown);
  const { code, detail, errors, retryAfterSeconds } = error;
  return { code, detail, errors, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}

/** Statuses of codes without a Problem. Further ones are conflicts, which only internal operations have. */
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

/** GraphQL's own codes: the client's document is wrong, and its author needs the original message. */
const clientErrorCodes: ReadonlySet<unknown> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'BAD_REQUEST',
  'BAD_USER_INPUT',
]);

/**
 * GraphQL gives no code to two errors: a required argument whose nullable variable is empty, and
 * the notice that replaces further errors of variables.
 */
const withoutCode =
  /^(?:Argument "\w+" of (?:non-null|required) type |Too many errors processing variables)/;

/** The innermost value behind a GraphQL error: what a resolver threw, if it threw. */
export function originalOf(error: unknown): unknown {
  let inner = error;
  while (inner instanceof GraphQLError && inner.originalError) inner = inner.originalError;
  return inner;
}

/**
 * Makes the error formatter of /graphql. Errors in the client's request keep GraphQL's own message
 * and upper-case code. All other errors become {@link ErrorExtensions}, and internal ones are
 * reported.
 * @param count called with each code, of which there are few
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
