import {
  endAttempt,
  type EndedAttempt,
  type DeliveryRequest,
  type StartedAttempt,
  buildRequest,
  startAttempt,
} from '../../src/domain/delivery/rules/attempt.js';
import { followsFailure } from '../../src/domain/delivery/rules/evidence.js';
import type { Attempt } from '../../src/domain/delivery/rules/outcome.js';
import { isSampled } from '../../src/telemetry/traceparent.js';
import type { Claim, Lane } from '../../src/domain/delivery/claim.js';
import type { Poster } from '../../src/outbound/post.js';
import { ResponseBudget } from './response-budget.js';
import type { SecretCache } from './secret-cache.js';

/**
 * Makes one attempt; `elapsedMs` milliseconds have passed since the claim came back. A gate holds its
 * request.
 */
export type SendAttempt = (
  claim: Claim,
  elapsedMs: number,
  signal: AbortSignal,
  gate?: () => Promise<void>,
) => Promise<EndedAttempt>;

export interface AttemptOptions {
  readonly poster: Poster;
  readonly secrets: Pick<SecretCache, 'of'>;
  readonly contentType: 'application/json' | 'application/cloudevents+json';
  /** Whether evidence has headers and body of the response. */
  readonly keepResponses: boolean;
  /** Shared by all lanes of a process. Defaults to a new one. */
  readonly responseBudget?: ResponseBudget;
  /** Whether spans of attempts are recorded. Defaults to false. */
  readonly tracing?: boolean;
  /** Of the claims. Defaults to `live`. */
  readonly lane?: Lane;
}

const userAgent = 'Service-Webhooks/1.0';

/**
 * Signs and posts the event of a claim. The ended attempt holds no event bytes.
 * @throws NoSecretOpens; Error when `signal` aborts, or the gate throws
 */
export function createAttemptSender(options: AttemptOptions): SendAttempt {
  const { poster, secrets, keepResponses, lane, tracing = false } = options;
  const { responseBudget = new ResponseBudget() } = options;
  const contentType =
    options.contentType === 'application/json'
      ? 'application/json; charset=utf-8'
      : options.contentType;
  const sender = { contentType, userAgent };
  return async (claim, elapsedMs, signal, gate) => {
    const started = startAttempt(claim, elapsedMs);
    const request = buildRequest(started, secrets.of(claim), sender);
    const { url, headers, body } = request;
    const { accountId: account, endpointId } = claim;
    const { startedAt: at } = started;
    const responses = keepResponses && responseBudget.allows(endpointId, at);
    const { traceparent } = claim.event;
    const traced = tracing && traceparent !== undefined && isSampled(traceparent);
    const keptSuccess = followsFailure(claim);
    const trace = { successes: keptSuccess || traced, responses };
    const attempt = await poster.post(url, headers, body, { account, signal, at, trace, gate });
    const ended = traced
      ? endTracedAttempt(started, request, attempt, keptSuccess)
      : endAttempt(started, request, attempt);
    if (ended.evidence?.responseHeaders) responseBudget.count(endpointId, at);
    return lane === 'recovery' ? { ...ended, recovered: true } : ended;
  };
}

/** Its evidence is the same as if its trace were not recorded. */
function endTracedAttempt(
  started: StartedAttempt,
  request: DeliveryRequest,
  { trace, ...attempt }: Attempt,
  keptSuccess: boolean,
): EndedAttempt {
  const isKept = keptSuccess || attempt.outcome.kind !== 'accepted' || trace?.bodyLeftOpen === true;
  const ended = endAttempt(started, request, isKept && trace ? { ...attempt, trace } : attempt);
  const { timings, sendMs = null } = trace ?? {};
  return { ...ended, traced: { endedAt: performance.now(), timings, sendMs } };
}
