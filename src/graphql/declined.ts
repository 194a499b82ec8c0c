import { mediaTypes } from './media-type.js';
import type { Refusal } from './refusal.js';

/** An answer that is no GraphQL result, though it has the form of one. */
export class Declined extends Error {
  constructor(
    readonly status: number,
    readonly refusal: Refusal,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(refusal.detail);
    this.name = 'Declined';
  }
}

/** The refusal of whatever is no POST. */
export function methodNotAllowed(): Declined {
  const code = 'method_not_allowed';
  const detail = 'Operations are sent by POST.';
  return new Declined(405, { code, detail, errors: [{ code, detail }] }, { Allow: 'POST' });
}

/** The refusal of an operation beyond the `most` that may be under way. */
export function busy(most: number): Declined {
  const code = 'service_unavailable';
  const detail = `At most ${most} operations can run at a time. Retry later.`;
  const refusal = { code, detail, errors: [{ code, detail }], retryAfterSeconds: 1 };
  return new Declined(503, refusal, { 'Retry-After': '1' });
}

/** The refusal of a client that takes no JSON, before its operation runs. */
export function notAcceptable(): Declined {
  const code = 'not_acceptable';
  const detail = `The response is available only as ${mediaTypes.join(' or ')} only.`;
  return new Declined(406, { code, detail, errors: [{ code, detail }] });
}
