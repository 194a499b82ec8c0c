import type { KeyObject } from 'node:crypto';
import { makeId } from '../values/id.js';
import type { Claim, ClaimedEvent } from './claim.js';
import { type Evidence, evidenceOf, type Header } from './evidence.js';
import type { PostResult, AttemptTimings, Outcome } from './outcome.js';
import { sign } from './signature.js';
import { delaysOf, type RetryPolicy } from '../transaction/rules.js';

/** An attempt in flight. Its request carries the id of its record. */
export interface StartedAttempt {
  readonly claim: Claim;
  /** Sorts as `startedAt` does, so records are listed in the order in which attempts started. */
  readonly deliveryId: string;
  readonly startedAt: Date;
}

/**
 * A claim without the event's bytes. Results that wait to be recorded hold none, so they need
 * little memory.
 */
export interface SentClaim extends Omit<
  Claim,
  'event' | 'maxPerSecond' | 'privateKeys' | 'headers'
> {
  readonly event: Omit<ClaimedEvent, 'body'>;
}

/** An attempt with its outcome: what the result writer records. */
export interface EndedAttempt extends Omit<StartedAttempt, 'claim'>, Omit<PostResult, 'trace'> {
  readonly claim: SentClaim;
  /**
   * Set when the attempt failed, when it was the first to succeed after a failure, and when it
   * succeeded although the receiver left the body open.
   */
  readonly evidence?: Evidence | undefined;
  /** Set when its trace is recorded. */
  readonly traced?: TracedAttempt | undefined;
  /** True for a delivery of a recovery, for which no client waits. Defaults to false. */
  readonly recovered?: boolean;
}

/** What the spans of an attempt need besides its record. */
export interface TracedAttempt {
  /** When it ended, by `performance.now()`. */
  readonly endedAt: number;
  readonly timings: AttemptTimings | undefined;
  readonly sendMs: number | null;
}

/** The HTTP request of an attempt. */
export interface DeliveryRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The static headers of the endpoint, apart from the others, because evidence must not have them. */
  readonly staticHeaders: readonly Header[] | undefined;
  readonly body: Buffer;
}

/**
 * Starts an attempt.
 * @param elapsedMs time since the claim was returned, in milliseconds by a monotonic clock. It
 *   dates the attempt in the database's time, so a wrong clock of this machine does not matter.
 */
export function startAttempt(claim: Claim, elapsedMs: number): StartedAttempt {
  const startedAt = new Date(claim.claimedAt.getTime() + Math.floor(elapsedMs));
  return { claim, deliveryId: makeId('whd', startedAt), startedAt };
}

/** Headers that are the same in all requests of a sender. */
interface Sender {
  readonly contentType: string;
  readonly userAgent: string;
}

/** The secrets of an endpoint, opened. */
export interface OpenedSecrets {
  /** Newest first. */
  readonly signing: readonly string[];
  /** Newest first. Defaults to none. */
  readonly privateKeys?: readonly KeyObject[];
  /** Defaults to none. */
  readonly headers?: readonly Header[] | undefined;
}

/** Builds the request of an attempt. */
export function buildRequest(
  { claim, deliveryId, startedAt }: StartedAttempt,
  { signing, privateKeys, headers: staticHeaders }: OpenedSecrets,
  { contentType, userAgent }: Sender,
): DeliveryRequest {
  const { event, url, attempt } = claim;
  const signatures = sign(signing, event.id, event.body, startedAt, privateKeys);

  // Spelled as the documents spell them, because some gateways compare names with case.
  const headers: Record<string, string> = {
    // Some firewalls refuse requests without it.
    Accept: '*/*',
    'Content-Type': contentType,
    'User-Agent': userAgent,
    'webhook-id': event.id,
    'webhook-timestamp': signatures.timestamp,
    'webhook-signature': signatures.standard,
    'X-Service-Signature': signatures.service,
    'X-Service-Timestamp': signatures.timestamp,
    'X-Service-Event-Id': event.id,
    'X-Service-Event-Type': event.type,
    'X-Service-Delivery-Id': deliveryId,
    'X-Service-Attempt': String(attempt),
  };

  if (event.sendsTraceparent && event.traceparent) headers['traceparent'] = event.traceparent;

  return { url, body: event.body, headers, staticHeaders };
}

/** Ends an attempt, and drops the bytes that were sent. */
export function endAttempt(
  { claim, deliveryId, startedAt }: StartedAttempt,
  request: Omit<DeliveryRequest, 'body'>,
  attempt: PostResult,
): EndedAttempt {
  const { outcome, durationMs } = attempt;
  const evidence = evidenceOf(request, attempt);
  return { claim: withoutBody(claim), deliveryId, startedAt, outcome, durationMs, evidence };
}

/** Copies member by member: a rest spread costs a worker a quarter of what signing does. */
function withoutBody(claim: Claim): SentClaim {
  const { id, type, version, traceparent } = claim.event;
  return {
    pendingDeliveryId: claim.pendingDeliveryId,
    token: claim.token,
    ctid: claim.ctid,
    accountId: claim.accountId,
    endpointId: claim.endpointId,
    url: claim.url,
    retrySchedule: claim.retrySchedule,
    secrets: claim.secrets,
    event: traceparent === undefined ? { id, type, version } : { id, type, version, traceparent },
    attempt: claim.attempt,
    maxAttempts: claim.maxAttempts,
    replayedFrom: claim.replayedFrom,
    test: claim.test,
    subjectKey: claim.subjectKey,
    claimedAt: claim.claimedAt,
  };
}

/** What follows an attempt. The delay counts from the attempt's end. */
type Step =
  | { readonly kind: 'done' }
  | { readonly kind: 'retry'; readonly afterMs: number }
  | { readonly kind: 'abandon' };

/** A receiver can postpone an attempt by at most this long. */
const maxRetryAfterMs = 24 * 60 * 60 * 1_000;

/** A receiver that responds with this status never takes events again. */
const gone = 410;

/**
 * Decides what follows an attempt. A `Retry-After` header postpones the next attempt
 * by at most a day, and never advances it.
 * @param random at least 0, below 1; sets the jitter of the delay
 */
export function nextStep(
  outcome: Outcome,
  { attempt, maxAttempts, retrySchedule }: Pick<Claim, 'attempt' | 'maxAttempts' | 'retrySchedule'>,
  policy: Omit<RetryPolicy, 'disableAfterMs' | 'disableAfterFailures'>,
  random: () => number,
): Step {
  if (outcome.kind === 'accepted') return { kind: 'done' };
  if (isGone(outcome) || attempt >= maxAttempts) return { kind: 'abandon' };
  // A pending delivery can outlive a change of the schedule. Past the schedule's end the last delay
  // repeats.
  const delaysMs = delaysOf(policy, retrySchedule);
  const base = delaysMs[attempt - 1] ?? delaysMs.at(-1) ?? 0;
  const delay = base * (1 + policy.jitter * (2 * random() - 1));
  return { kind: 'retry', afterMs: Math.round(Math.max(delay, retryAfterMs(outcome))) };
}

/** Whether the receiver responded 410 Gone: no attempt follows, and the endpoint is disabled. */
export function isGone(outcome: Outcome): boolean {
  return outcome.kind === 'rejected' && outcome.status === gone;
}

function retryAfterMs(outcome: Outcome): number {
  if (outcome.kind !== 'rejected' || !outcome.retryAfter) return 0;
  return Math.min(outcome.retryAfter.delayMs, maxRetryAfterMs);
}
