import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { ApiError } from '../api/problem.js';
import { DomainError } from '../domain/errors.js';
import { isUnavailable } from '../domain/unavailable.js';
import type { ErrorExtensions } from './error-extensions.js';

/** Reports an internal error; called once per error. */
export type Report = (error: unknown) => void;

const unavailableRetrySeconds = 5;

/**
 * Decides what the caller learns of a thrown value. A DomainError and an ApiError appear in full.
 * An unreachable database appears as `service_unavailable`, anything else as `internal_error`.
 */
export function toErrorExtensions(thrown: unknown): ErrorExtensions {
  if (thrown instanceof DomainError) {
    const { code, detail, errors, retryAfterSeconds } = thrown;
    return { code, detail, errors, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  }
  if (thrown instanceof ApiError) {
    const { code, detail, errors, headers } = thrown;
    const retryAfter = headers['Retry-After'];
    return {
      ...{ code, detail, errors },
      ...(retryAfter !== undefined && { retryAfterSeconds: Number(retryAfter) }),
    };
  }
  if (isUnavailable(thrown)) {
    const detail = 'The service is temporarily unavailable. Retry later.';
    const code = 'service_unavailable';
    const errors = [{ code, detail }];
    return { code, detail, errors, retryAfterSeconds: unavailableRetrySeconds };
  }
  const detail = 'The request failed because of an internal error.';
  return { code: 'internal_error', detail, errors: [{ code: 'internal_error', detail }] };
}

/** HTTP statuses by code, for responses without data. Other codes are conflicts. */
const statuses: Readonly<Record<string, number>> = {
  validation_failed: 422,
  delivery_not_replayable: 422,
  not_found: 404,
  forbidden: 403,
  rate_limit_exceeded: 429,
  service_unavailable: 503,
  replay_unsettled: 503,
  internal_error: 500,
  BAD_USER_INPUT: 400,
};

/** The status of a response without data, by the code of its first error. */
export function statusOf(code: unknown): number {
  return statuses[String(code)] ?? 409;
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
