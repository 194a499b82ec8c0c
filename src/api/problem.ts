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
      readonly errors?: readonly Entry[] | undefined;
      readonly headers?: Readonly<Record<string, string>>;
      readonly retryAfterSeconds?: number | undefined;
    } = {},
  ) {
    super(detail);
    this.name = 'ApiError';
    this.errors = options.errors ?? [{ code, detail }];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = {
      ...(this.retryAfterSeconds !== undefined && {
        'Retry-After': String(this.retryAfterSeconds),
      }),
      ...options.headers,
    };
  }

  readonly headers: Readonly<Record<string, string>>;

  /** Seconds after which the same request may succeed; also in {@link headers}. */
  readonly retryAfterSeconds: number | undefined;

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
  const { code, detail, errors, headers } = toStorableError(thrown);
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
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof DomainError) return fromDomainError(thrown);
  return isUnavailable(thrown)
    ? unavailable('The service is temporarily unavailable. Retry later.')
    : internalError();
}

/** {@link toApiError} for a Problem, which lets the client correct a value that PostgreSQL rejects. */
function toStorableError(thrown: unknown): ApiError {
  const error = toApiError(thrown);
  if (error.code !== 'internal_error' || !isUnstorable(thrown)) return error;
  const detail = 'The request holds a value that the service cannot store.';
  return new ApiError('validation_failed', detail, { errors: [{ code: 'invalid_value', detail }] });
}

function fromDomainError(error: DomainError): ApiError {
  const { code, detail, errors, retryAfterSeconds } = error;
  if (code === 'replay_unsettled') return unavailable(detail, retryAfterSeconds);
  if (code === 'pending_limit_reached')
    return new ApiError('rate_limit_exceeded', detail, { retryAfterSeconds });
  if (!(code in allProblems)) return internalError();
  return new ApiError(code as ProblemCode, detail, { errors, retryAfterSeconds });
}

function unavailable(detail: string, retryAfterSeconds = 5): ApiError {
  return new ApiError('service_unavailable', detail, { retryAfterSeconds });
}

function internalError(): ApiError {
  return new ApiError('internal_error', 'The request failed because of an internal error.');
}

/** SQLSTATE class 22 (data exception). A safety net: the domain should have named the field. */
function isUnstorable(thrown: unknown): boolean {
  const { code, driverError } = (thrown ?? {}) as { code?: unknown; driverError?: unknown };
  if (typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)) return true;
  return driverError !== undefined && isUnstorable(driverError);
}
