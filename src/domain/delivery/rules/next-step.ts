import type { RetryPolicy } from '../../rules.js';
import type { Outcome } from './outcome.js';

/** What follows an attempt; a delay counts from the attempt's end. */
export type Step =
  | { readonly kind: 'done' }
  | { readonly kind: 'retry'; readonly afterMs: number }
  | { readonly kind: 'abandon' };

/** The longest that a receiver may postpone an attempt (H63). */
const maxRetryAfterMs = 24 * 60 * 60 * 1_000;

/** The status with which a receiver says that it will never take events again (H71). */
const gone = 410;

/**
 * Decides what follows attempt number `attempt` (H60–H64). A `Retry-After` postpones the next
 * attempt, up to a day, and never advances it.
 * @param random at least 0, below 1; stretches or shortens the delay by the policy's jitter
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
  // A pending delivery outlives a change of the schedule: past its end the last delay repeats.
  const base = policy.delaysMs[attempt - 1] ?? policy.delaysMs.at(-1) ?? 0;
  const delay = base * (1 + policy.jitter * (2 * random() - 1));
  return { kind: 'retry', afterMs: Math.round(Math.max(delay, retryAfterMs(outcome))) };
}

/** Whether the receiver answered 410 Gone: no further attempt, and the endpoint is disabled (H71). */
export function isGone(outcome: Outcome): boolean {
  return outcome.kind === 'rejected' && outcome.status === gone;
}

function retryAfterMs(outcome: Outcome): number {
  if (outcome.kind !== 'rejected' || !outcome.retryAfter) return 0;
  return Math.min(outcome.retryAfter.delayMs, maxRetryAfterMs);
}
