import { makeId } from '../../id.js';
import type { Claim, ClaimedEvent } from '../claim.js';
import type { Attempt } from './outcome.js';
import { sign } from './signature.js';

/** An attempt that is on its way: its record's id is in the request's header. */
export interface StartedAttempt {
  readonly claim: Claim;
  /** Sorts as `startedAt` does, so records list in the order in which attempts were started. */
  readonly deliveryId: string;
  readonly startedAt: Date;
}

/** A claim whose bytes were sent; what waits to be recorded holds none, however many there are. */
export interface SentClaim extends Omit<Claim, 'event'> {
  readonly event: Omit<ClaimedEvent, 'body'>;
}

/** An attempt and what it ended with: what is settled. */
export interface EndedAttempt extends Omit<StartedAttempt, 'claim'>, Attempt {
  readonly claim: SentClaim;
}

/** What goes over the wire. */
export interface DeliveryRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Starts an attempt.
 * @param elapsedMs since the claim came back, by a monotonic clock; dates the attempt in the
 * database's time whatever the clock of this machine says
 */
export function startAttempt(claim: Claim, elapsedMs: number): StartedAttempt {
  const startedAt = new Date(claim.claimedAt.getTime() + Math.floor(elapsedMs));
  return { claim, deliveryId: makeId('whd', startedAt), startedAt };
}

/** What every request of a sender says. */
export interface Sender {
  readonly contentType: string;
  readonly userAgent: string;
}

/** The request of an attempt, signed under `secrets`, newest first (H81). */
export function buildRequest(
  { claim, deliveryId, startedAt }: StartedAttempt,
  secrets: readonly string[],
  { contentType, userAgent }: Sender,
): DeliveryRequest {
  const { event, url, attempt } = claim;
  const signatures = sign(secrets, event.id, event.body, startedAt);
  return {
    url,
    body: event.body,
    headers: {
      'content-type': contentType,
      'user-agent': userAgent,
      'webhook-id': event.id,
      'webhook-timestamp': signatures.timestamp,
      'webhook-signature': signatures.standard,
      'x-service-signature': signatures.service,
      'x-service-timestamp': signatures.timestamp,
      'x-service-event-id': event.id,
      'x-service-event-type': event.type,
      'x-service-delivery-id': deliveryId,
      'x-service-attempt': String(attempt),
    },
  };
}

/** An attempt that has ended, without the bytes that were sent. */
export function endAttempt(
  { claim, deliveryId, startedAt }: StartedAttempt,
  { outcome, durationMs }: Attempt,
): EndedAttempt {
  return { claim: withoutBody(claim), deliveryId, startedAt, outcome, durationMs };
}

/** Member by member: copying whatever is there costs a worker a quarter of what signing does. */
function withoutBody(claim: Claim): SentClaim {
  const { id, type, version } = claim.event;
  return {
    pendingDeliveryId: claim.pendingDeliveryId,
    token: claim.token,
    accountId: claim.accountId,
    endpointId: claim.endpointId,
    url: claim.url,
    secrets: claim.secrets,
    event: { id, type, version },
    attempt: claim.attempt,
    maxAttempts: claim.maxAttempts,
    replayedFrom: claim.replayedFrom,
    test: claim.test,
    claimedAt: claim.claimedAt,
  };
}
