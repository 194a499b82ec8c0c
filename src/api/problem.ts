import { DomainError, type Issue } from '../domain/errors.js';
import { isUnavailable } from '../domain/unavailable.js';
import { allProblems, type AnyProblemCode, type ProblemCode } from './problem-table.js';

type Entry = Issue<Issue['code'] | AnyProblemCode>;

/** An error of the HTTP layer. The domain throws DomainError. */
export class ApiError extends Error {
  readonly errors: readonly Entry[];

  constructor(
    readonly code: AnyProblemCode,
    readonly detail: string,
    options: {
      readonly errors?: readonly Entry[];
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(detail);
    this.name = 'ApiError';
    this.errors = options.errors ?? [{ code, detail }];
    this.headers = options.headers ?? {};
  }

  readonly headers: Readonly<Record<string, string>>;

  get status(): number {
    return allProblems[this.code].status;
  }
}

/** A Problem ready to send: status, its own headers, and the text of the body. */
export interface Problem {
  readonly status: number;
  readonly code: AnyProblemCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Log level. Above info, the log line includes the error that was thrown. */
  readonly level: 'info' | 'warn' | 'error';
}

const closesConnection: ReadonlySet<AnyProblemCode> = new Set([
  'malformed_request',
  'request_timeout',
  'payload_too_large',
  'headers_too_large',
]);

/**
 * Turns any thrown value into a Problem.
 * @param origin prefix of its `type`
 */
export function toProblem(thrown: unknown, origin: string, requestId: string): Problem {
  const { code, detail, errors, headers } = toApiError(thrown);
  const { status, title } = allProblems[code];
  const text = JSON.stringify({
    type: `${origin}/problems/${code.replaceAll('_', '-')}`,
    title,
    status,
    code,
    detail,
    request_id: requestId,
    errors,
  });
  const closing = closesConnection.has(code) ? { Connection: 'close' } : {};
  const type = { 'Content-Type': 'application/problem+json' };
  const level = levelOf(thrown, status);
  return { status, code, headers: { ...headers, ...closing, ...type }, text, level };
}

/** A value that PostgreSQL rejects looks like an error of the client, but may be a bug of ours: warn. */
function levelOf(thrown: unknown, status: number): Problem['level'] {
  if (status === 500) return 'error';
  return status === 503 || isUnstorable(thrown) ? 'warn' : 'info';
}

/** Returns the {@link ApiError} for any thrown value: internal_error for an error of the service. */
function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof DomainError) return fromDomainError(thrown);
  if (isUnavailable(thrown))
    return unavailable('The service is temporarily unavailable. Retry later.', 5);
  if (isUnstorable(thrown)) {
    const detail = 'The request holds a value that the service cannot store.';
    const errors = [{ code: 'invalid_value' as const, detail }];
    return new ApiError('validation_failed', detail, { errors });
  }
  return new ApiError('internal_error', 'The request failed because of an internal error.');
}

function fromDomainError(error: DomainError): ApiError {
  const { code, detail, errors, retryAfterSeconds } = error;
  if (code === 'replay_unsettled') return unavailable(detail, retryAfterSeconds ?? 5);
  const headers =
    retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  if (code === 'pending_limit_reached')
    return new ApiError('rate_limit_exceeded', detail, { headers });
  if (!(code in allProblems)) {
    return new ApiError('internal_error', 'The request failed because of an internal error.');
  }
  return new ApiError(code as ProblemCode, detail, { errors, headers });
}

function unavailable(detail: string, retryAfterSeconds: number): ApiError {
  const headers = { 'Retry-After': String(retryAfterSeconds) };
  return new ApiError('service_unavailable', detail, { headers });
}

/** SQLSTATE class 22 (data exception). A safety net: the domain should have named the field. */
function isUnstorable(thrown: unknown): boolean {
  const { code, driverError } = (thrown ?? {}) as { code?: unknown; driverError?: unknown };
  if (typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)) return true;
  return driverError !== undefined && isUnstorable(driverError);
}
