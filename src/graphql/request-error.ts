import { mediaTypes } from './media-type.js';
import type { ErrorExtensions } from './error-extensions.js';

/** An answer that is no GraphQL result, though it has the form of one. */
export class RequestError extends Error {
  constructor(
    readonly status: number,
    readonly extensions: ErrorExtensions,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(extensions.detail);
    this.name = 'RequestError';
  }
}

/** The refusal of whatever is no POST. */
export function methodNotAllowed(): RequestError {
  const code = 'method_not_allowed';
  const detail = 'Operations are sent by POST.';
  return new RequestError(405, { code, detail, errors: [{ code, detail }] }, { Allow: 'POST' });
}

/** The refusal of an operation beyond the `most` that may be under way. */
export function overloaded(maximum: number): RequestError {
  const code = 'service_unavailable';
  const detail = `At most ${maximum} operations can run at a time. Retry later.`;
  const extensions = { code, detail, errors: [{ code, detail }], retryAfterSeconds: 1 };
  return new RequestError(503, extensions, { 'Retry-After': '1' });
}

/** The refusal of a client that takes no JSON, before its operation runs. */
export function notAcceptable(): RequestError {
  const code = 'not_acceptable';
  const detail = `The response is available only as ${mediaTypes.join(' or ')} only.`;
  return new RequestError(406, { code, detail, errors: [{ code, detail }] });
}
