import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { DomainError } from '../domain/errors.js';
import { isUnavailable } from '../domain/unavailable.js';
import { RateLimitExceeded } from './rate-limit-exceeded.js';
import type { ErrorExtensions } from './error-extensions.js';

/** Takes note of a fault of ours; called once for each error. */
export type Report = (error: unknown) => void;

const unavailableRetrySeconds = 5;

/**
 * Says what the caller may know of a thrown value: a DomainError or a quota in full, an unreachable database
 * as `service_unavailable`, anything else only as `internal_error`.
 */
export function toErrorExtensions(thrown: unknown): ErrorExtensions {
  if (thrown instanceof DomainError) {
    const { code, detail, errors, retryAfterSeconds } = thrown;
    return { code, detail, errors, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  }
  if (thrown instanceof RateLimitExceeded) return thrown.extensions;
  if (isUnavailable(thrown)) {
    const detail = 'The service is temporarily unavailable. Retry later.';
    const code = 'service_unavailable';
    const errors = [{ code, detail }];
    return { code, detail, errors, retryAfterSeconds: unavailableRetrySeconds };
  }
  const detail = 'The request failed because of an internal error.';
  return { code: 'internal_error', detail, errors: [{ code: 'internal_error', detail }] };
}

/** What a refusal means over HTTP, where an answer has no data to bring; any other is a conflict. */
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

/** The status of an answer that has no data, by the code of its first error. */
export function statusOf(code: unknown): number {
  return statuses[String(code)] ?? 409;
}

/** Codes of GraphQL itself: the request is at fault, its author needs the message as it is. */
const clientErrorCodes: ReadonlySet<unknown> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'BAD_REQUEST',
  'BAD_USER_INPUT',
]);

/**
 * GraphQL gives no code to an argument that a nullable variable left empty, which is found while running,
 * and to what it says in place of further errors of variables.
 */
const withoutCode =
  /^(?:Argument "\w+" of (?:non-null|required) type |Too many errors processing variables)/;

/** The innermost value behind a GraphQL error: what a resolver threw, if a resolver threw. */
export function originalOf(error: unknown): unknown {
  let inner = error;
  while (inner instanceof GraphQLError && inner.originalError) inner = inner.originalError;
  return inner;
}

/**
 * Makes the formatter of every error on /graphql. Faults in the request itself keep GraphQL's own
 * message and upper-case code; everything else is a {@link ErrorExtensions}, and faults of ours are reported.
 * @param count is told the code of each, of which there are few
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
    if (!(thrown instanceof DomainError || thrown instanceof RateLimitExceeded)) {
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
