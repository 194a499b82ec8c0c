import type { RetryPolicy } from '../../rules.js';
import type { Outcome } from './outcome.js';

/** What follows an attempt. The delay counts from the attempt's end. */
export type Step =
  | { readonly kind: 'done' }
  | { readonly kind: 'retry'; readonly afterMs: number }
  | { readonly kind: 'abandon' };

/** A receiver can postpone an attempt by at most this long. */
const maxRetryAfterMs = 24 * 60 * 60 * 1_000;

/** A receiver that responds with this status never takes events again. */
const gone = 410;

/**
 * Decides what follows attempt number `attempt`. A `Retry-After` header postpones the next attempt
 * by at most a day, and never advances it.
 * @param random at least 0, below 1; sets the jitter of the delay
 */
export function nextStep(
  outcome: Outcome,
  attempt: number,
  maxAttempts: number,
  policy: RetryPolicy,
  random: () => number,
): Step {
  if (outcome.kind === 'accepted') return { kind: 'done' };
  if (isGone(outcome) || attempt >= maxAttempts) return { kind: 'abandon' };
  // A pending delivery can outlive a change of the schedule. Past the schedule's end the last delay
  // repeats.
  const base = policy.delaysMs[attempt - 1] ?? policy.delaysMs.at(-1) ?? 0;
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
