// The errors of the API: each is a Problem (RFC 9457) of the table below, which also makes the pages behind its `type`.
// Errors of GraphQL carry the same codes. The domain throws DomainError, this layer ApiError; any other error is internal,
// unless it says that a dependency is unavailable. A client learns only the request id of an internal error.
import { DomainError, type Issue, type IssueCode, type ErrorCode } from '../domain/errors.js';
import { isUnavailable } from '../domain/transaction/unavailable.js';

type Entry = Issue<Issue['code'] | AnyProblemCode>;

/** An error of the HTTP layer. The domain throws DomainError. */
export class ApiError extends Error {
  readonly errors: readonly Entry[];
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds after which the same request may succeed; also in {@link headers}. */
  readonly retryAfterSeconds: number | undefined;

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

  get status(): number {
    return allProblems[this.code].status;
  }
}

/** The error for an invalid key. `must` continues the sentence "The Idempotency-Key …". */
export function invalidIdempotencyKey(code: IssueCode, must: string): ApiError {
  const detail = `The Idempotency-Key ${must}.`;
  const errors = [{ code, detail, param: 'Idempotency-Key' }];
  return new ApiError('invalid_idempotency_key', detail, { errors });
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
  const detail = 'The request contains a value that the service cannot store.';
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

/** Status, title and page of a Problem. */
interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** Text of the page at the Problem's `type`. */
  readonly page: string;
}

/** Problems of the dashboard's own requests and of the live stream; `/v1` never sends them. */
const otherProblems = {
  document_unknown: {
    status: 400,
    title: 'Unknown document',
    page: 'The service has no operation with this id. The page belongs to an older or newer release: reload it.',
  },
  other_browser: {
    status: 409,
    title: 'Different browser',
    page: 'A sign-in link works only in the browser that requested it. Open the link there, or enter the code from the mail there.',
  },
  link_expired: {
    status: 410,
    title: 'Link expired',
    page: 'A link opens one session and then expires; an unused link expires, too. Request a new one.',
  },
  stream_position_gone: {
    status: 410,
    title: 'Stream position gone',
    page: 'The position is older than 30 days, or belongs to another database, for example after a restore. Open the stream with `since` instead of Last-Event-ID, and skip the ids that you already have.',
  },
  stream_limit_reached: {
    status: 429,
    title: 'Stream limit reached',
    page: 'The account has reached its limit of 20 open streams. Close one, or let several consumers share one.',
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;

/** A code that `/v1` never sends. */
type OtherProblemCode = keyof typeof otherProblems;

/** Codes of the HTTP layer, which the domain does not use. */
type EdgeCode =
  | 'idempotency_key_required'
  | 'invalid_idempotency_key'
  | 'invalid_json'
  | 'malformed_request'
  | 'unauthorized'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'request_timeout'
  | 'idempotency_key_conflict'
  | 'idempotency_key_in_progress'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limit_exceeded'
  | 'headers_too_large'
  | 'internal_error'
  | 'service_unavailable';

/**
 * Codes of internal operations; `/v1` never sends them. For its clients, a limit of pending deliveries is
 * a limit like the others.
 */
type InternalCode =
  | 'event_key_conflict'
  | 'pending_limit_reached'
  | 'test_limit_reached'
  | 'checkout_not_payable'
  | 'state_conflict';

/** For the client, a replay without a result in time is a service that is unavailable. */
type UnsettledCode = 'replay_unsettled';

/** A code of the contract. */
export type ProblemCode = Exclude<ErrorCode, InternalCode | UnsettledCode> | EdgeCode;

/** Every code that a Problem of the service can have. */
export type AnyProblemCode = ProblemCode | OtherProblemCode;

/** The Problems of the contract. */
export const problems = {
  idempotency_key_required: {
    status: 400,
    title: 'Idempotency-Key required',
    page: 'Send an Idempotency-Key header of 1 to 255 characters with every operation that changes something. It prevents a retry from having a second effect.',
  },
  invalid_idempotency_key: {
    status: 400,
    title: 'Invalid Idempotency-Key',
    page: 'Send the Idempotency-Key exactly once, as valid UTF-8 of at most 255 characters without a NUL byte.',
  },
  invalid_json: {
    status: 400,
    title: 'Malformed JSON',
    page: 'Send the body as one JSON text in UTF-8, without duplicate keys and with at most 64 levels of nesting. Numbers must fit a double, and integers must be within ±(2^53 - 1).',
  },
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    page: 'The request is not valid HTTP. The service closed the connection.',
  },
  unauthorized: {
    status: 401,
    title: 'Authentication failed',
    page: 'Send `Authorization: Bearer <token>` exactly once, with a valid credential of a kind that the operation accepts. errors[0].code says what was wrong.',
  },
  forbidden: {
    status: 403,
    title: 'Permission missing',
    page: 'The credential lacks the permission that the operation requires. For each permission, a credential has the lower of its own level and the level that the role of its holder allows.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    page: 'The path does not exist, or the account has no object with this id.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    page: 'The path exists, but does not allow this method. The Allow header lists the allowed methods.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    page: 'The Accept header does not allow application/json. Add it, or leave the header out.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    page: 'The request did not arrive in time. The service closed the connection.',
  },
  idempotency_key_conflict: {
    status: 409,
    title: 'Idempotency-Key conflict',
    page: 'The key was used within the last 24 hours for a request with a different method, path or body. Use a new key for each request.',
  },
  idempotency_key_in_progress: {
    status: 409,
    title: 'Idempotency-Key in progress',
    page: 'The first request with this key is still running. Retry after the seconds in Retry-After.',
  },
  endpoint_inactive: {
    status: 409,
    title: 'Endpoint inactive',
    page: 'The service sends nothing to an inactive endpoint. Set `active` to true, then replay.',
  },
  delivery_in_progress: {
    status: 409,
    title: 'Delivery in progress',
    page: 'An attempt for the same event and endpoint is in progress. Retry after the seconds in Retry-After.',
  },
  payment_not_refundable: {
    status: 409,
    title: 'Payment not refundable',
    page: 'The payment is already refunded in full, was charged back, or belongs to a free order.',
  },
  offer_state_conflict: {
    status: 409,
    title: 'Offer state conflict',
    page: 'A draft can be sent or cancelled. A sent offer can be resent or cancelled. An accepted, cancelled or expired offer cannot change.',
  },
  payload_too_large: {
    status: 413,
    title: 'Payload too large',
    page: 'The body has more bytes, or more members and items, than the operation accepts. The limits are x-max-bytes and x-max-values of its request body in the OpenAPI description. The service closed the connection.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    page: 'Send the body as application/json in UTF-8, uncompressed: without Content-Encoding.',
  },
  validation_failed: {
    status: 422,
    title: 'Validation failed',
    page: 'Fields or parameters were refused. `errors` has one entry per refusal, and `param` names the field.',
  },
  endpoint_limit_reached: {
    status: 422,
    title: 'Endpoint limit reached',
    page: 'The account has reached its limit of webhook endpoints. Delete one, or ask the operator for a higher limit.',
  },
  delivery_not_replayable: {
    status: 422,
    title: 'Delivery not replayable',
    page: 'The endpoint was deleted or no longer subscribes to the event type, or the event is older than 30 days. errors[0].code says which.',
  },
  rate_limit_exceeded: {
    status: 429,
    title: 'Rate limit exceeded',
    page: 'The quota of the policy in RateLimit-Policy is used up. Retry after the seconds in Retry-After.',
  },
  headers_too_large: {
    status: 431,
    title: 'Request headers too large',
    page: 'All headers together must be at most 16 KiB. The service closed the connection.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    page: 'The service failed. Retry with the same Idempotency-Key. If it fails again, report the request_id, which identifies the error in the log.',
  },
  service_unavailable: {
    status: 503,
    title: 'Service unavailable',
    page: 'The service is temporarily unavailable. Retry after the seconds in Retry-After, with the same Idempotency-Key.',
  },
} as const satisfies Readonly<Record<ProblemCode, ProblemKind>>;

/** The only table of Problems. `type` and the pages derive from it. */
export const allProblems: Readonly<Record<AnyProblemCode, ProblemKind>> = {
  ...problems,
  ...otherProblems,
};
