import { mediaTypes } from './media-type.js';
import type { ErrorExtensions } from './error-extensions.js';

/** An error before GraphQL begins. The response has the form of a GraphQL result. */
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

/** The error for any method other than POST. */
export function methodNotAllowed(): RequestError {
  const code = 'method_not_allowed';
  const detail = 'Method not allowed here. Send operations with POST.';
  return new RequestError(405, { code, detail, errors: [{ code, detail }] }, { Allow: 'POST' });
}

/** The error for an operation beyond the limit of concurrent ones. */
export function overloaded(maximum: number): RequestError {
  const code = 'service_unavailable';
  const detail = `At most ${maximum} operations can run at a time. Retry later.`;
  const extensions = { code, detail, errors: [{ code, detail }], retryAfterSeconds: 1 };
  return new RequestError(503, extensions, { 'Retry-After': '1' });
}

/** The error for a client that accepts no JSON. Thrown before the operation runs. */
export function notAcceptable(): RequestError {
  const code = 'not_acceptable';
  const detail = `The response is available only as ${mediaTypes.join(' or ')}.`;
  return new RequestError(406, { code, detail, errors: [{ code, detail }] });
}
