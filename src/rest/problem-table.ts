import type { ErrorCode } from '../domain/errors.js';

/** Codes of the edge: the domain does not know them. */
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

/** Refusals of operations that only internal tools have; /v1 never meets them. */
type InternalCode = 'event_key_conflict' | 'checkout_not_payable' | 'state_conflict';

/** A replay that no worker settled in time is, for the caller, a service that is away (H76.7). */
type UnsettledCode = 'replay_unsettled';

/** Every code a Problem can have. */
export type ProblemCode = Exclude<ErrorCode, InternalCode | UnsettledCode> | EdgeCode;

interface Kind {
  readonly status: number;
  readonly title: string;
  /** What the page behind `type` says. */
  readonly page: string;
}

/** The one table of Problems (contract part 3); `type` and the pages derive from it. */
export const problems = {
  idempotency_key_required: {
    status: 400,
    title: 'Idempotency-Key required',
    page: 'Operations that change something need an Idempotency-Key header of 1 to 255 characters, so that a repeated request has no second effect.',
  },
  invalid_idempotency_key: {
    status: 400,
    title: 'Invalid Idempotency-Key',
    page: 'The Idempotency-Key must be sent exactly once, as valid UTF-8 of at most 255 characters without a NUL byte.',
  },
  invalid_json: {
    status: 400,
    title: 'Malformed JSON',
    page: 'The body must be one JSON text in UTF-8: no member name twice in an object, at most 64 levels, numbers that a double holds and integers within ±(2^53 - 1).',
  },
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    page: 'The request is not valid HTTP. The connection was closed.',
  },
  unauthorized: {
    status: 401,
    title: 'Authentication failed',
    page: 'Send `Authorization: Bearer <token>` once, with a credential that is valid and of a kind that the operation accepts; errors[0].code says what was wrong.',
  },
  forbidden: {
    status: 403,
    title: 'Permission missing',
    page: 'A credential holds each permission at the lower of its own level and the role of its holder. This one does not reach the level that the operation requires.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    page: 'The path does not exist, or the account has no object with this id.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    page: 'The path exists, but not for this method. The Allow header lists those it has.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    page: 'The Accept header leaves no room for application/json.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    page: 'The request did not arrive in time. The connection was closed.',
  },
  idempotency_key_conflict: {
    status: 409,
    title: 'Idempotency-Key conflict',
    page: 'The key was used within the last 24 hours for a request with another method, path or body. Use a key of its own for each request.',
  },
  idempotency_key_in_progress: {
    status: 409,
    title: 'Idempotency-Key in progress',
    page: 'The first request under this key has not ended. Repeat the request after the seconds of Retry-After.',
  },
  endpoint_inactive: {
    status: 409,
    title: 'Endpoint inactive',
    page: 'Nothing is sent to an endpoint that is not active. Set `active` to true, then replay.',
  },
  delivery_in_progress: {
    status: 409,
    title: 'Delivery in progress',
    page: 'An attempt for the same event and endpoint is being sent. Repeat the request after the seconds of Retry-After.',
  },
  payment_not_refundable: {
    status: 409,
    title: 'Payment not refundable',
    page: 'Nothing of the payment is left to be refunded, or it was charged back.',
  },
  offer_state_conflict: {
    status: 409,
    title: 'Offer state conflict',
    page: 'A draft can be sent or cancelled, a sent offer sent again or cancelled. One that was accepted or cancelled, or has expired, stays as it is.',
  },
  payload_too_large: {
    status: 413,
    title: 'Payload too large',
    page: 'The body is larger, or holds more members and items, than the operation takes: x-max-bytes and x-max-values of its request body in the OpenAPI description. The connection was closed.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    page: 'Send the body as application/json in UTF-8, without a content coding.',
  },
  validation_failed: {
    status: 422,
    title: 'Validation failed',
    page: 'Fields or parameters were refused; `errors` has an entry for each refusal, and `param` names the field.',
  },
  endpoint_limit_reached: {
    status: 422,
    title: 'Endpoint limit reached',
    page: 'The account has as many webhook endpoints as it may have. Delete one that is no longer needed, or ask the operator for a higher limit.',
  },
  delivery_not_replayable: {
    status: 422,
    title: 'Delivery not replayable',
    page: 'The endpoint was deleted, no longer subscribes to the type of the event, or the event is older than 30 days.',
  },
  rate_limit_exceeded: {
    status: 429,
    title: 'Rate limit exceeded',
    page: 'The quota of the policy in RateLimit-Policy is used up. Repeat the request after the seconds of Retry-After.',
  },
  headers_too_large: {
    status: 431,
    title: 'Request headers too large',
    page: 'All headers together may have at most 16 KiB. The connection was closed.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    page: 'The fault is ours. The request_id finds it in our log; repeat the request under the same Idempotency-Key.',
  },
  service_unavailable: {
    status: 503,
    title: 'Service unavailable',
    page: 'The service cannot answer at the moment. Repeat the request after the seconds of Retry-After, under the same Idempotency-Key.',
  },
} as const satisfies Readonly<Record<ProblemCode, Kind>>;
