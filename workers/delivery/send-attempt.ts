import {
  endAttempt,
  type EndedAttempt,
  buildRequest,
  startAttempt,
} from '../../src/domain/delivery/rules/attempt.js';
import { followsFailure } from '../../src/domain/delivery/rules/evidence.js';
import type { Claim, Lane } from '../../src/domain/delivery/claim.js';
import type { Poster } from '../../src/outbound/post.js';
import type { SecretCache } from './secret-cache.js';

/** Makes one attempt; `elapsedMs` milliseconds have passed since the claim came back. */
export type SendAttempt = (
  claim: Claim,
  elapsedMs: number,
  signal: AbortSignal,
) => Promise<EndedAttempt>;

export interface AttemptOptions {
  readonly poster: Poster;
  readonly secrets: Pick<SecretCache, 'of'>;
  readonly contentType: 'application/json' | 'application/cloudevents+json';
  /** Whether evidence has headers and body of the response. */
  readonly keepResponses: boolean;
  /** Of the claims. Defaults to `live`. */
  readonly lane?: Lane;
}

const userAgent = 'Service-Webhooks/1.0';

/**
 * Signs and posts the event of a claim. The ended attempt holds no event bytes.
 * @throws Error when a secret cannot be opened, or `signal` aborts
 */
export function createAttemptSender(options: AttemptOptions): SendAttempt {
  const { poster, secrets, keepResponses: responses, lane } = options;
  const failures = { successes: false, responses };
  const all = { successes: true, responses };
  const contentType =
    options.contentType === 'application/json'
      ? 'application/json; charset=utf-8'
      : options.contentType;
  const sender = { contentType, userAgent };
  return async (claim, elapsedMs, signal) => {
    const started = startAttempt(claim, elapsedMs);
    const request = buildRequest(started, secrets.of(claim), sender);
    const { url, headers, body } = request;
    const { accountId: account } = claim;
    const trace = followsFailure(claim) ? all : failures;
    const about = { account, signal, at: started.startedAt, trace };
    const ended = endAttempt(started, request, await poster.post(url, headers, body, about));
    return lane === 'recovery' ? { ...ended, recovered: true } : ended;
  };
}
