import type { DisabledReason } from '../../disabled-reason.js';
import type { RetryPolicy } from '../../rules.js';
import { isGone } from './next-step.js';
import type { Outcome } from './outcome.js';

/** An endpoint's unbroken run of failed attempts; null and 0 when the last one succeeded. */
export interface Health {
  readonly failingSince: Date | null;
  readonly failureCount: number;
}

/** What an endpoint's attempts say about it. */
export interface HealthAssessment {
  readonly health: Health;
  readonly disable?: { readonly reason: DisabledReason; readonly last: Outcome };
}

/** One attempt as health sees it; test deliveries are not shown to it (H68). */
export interface HealthSample {
  readonly outcome: Outcome;
  readonly endedAt: Date;
}

const healthy: Health = { failingSince: null, failureCount: 0 };

/**
 * Judges an endpoint by its attempts, oldest first (H69–H71): a 2xx ends the run of failures; 410
 * disables at once; so does a run that is both long enough and has enough failures in it.
 * Evidence after the one that disables does not count.
 */
export function assessHealth(
  before: Health,
  samples: readonly HealthSample[],
  policy: RetryPolicy,
): HealthAssessment {
  let health = before;
  for (const { outcome, endedAt } of samples) {
    health = outcome.kind === 'accepted' ? healthy : withFailure(health, endedAt);
    if (isGone(outcome)) return { health, disable: { reason: 'receiver_gone', last: outcome } };
    if (hasFailedForTooLong(health, endedAt, policy)) {
      return { health, disable: { reason: 'consecutive_failures', last: outcome } };
    }
  }
  return { health };
}

/** Whether two states of health are the same, so that nothing need be written. */
export function sameHealth(one: Health, other: Health): boolean {
  return (
    one.failureCount === other.failureCount &&
    one.failingSince?.getTime() === other.failingSince?.getTime()
  );
}

function withFailure({ failingSince, failureCount }: Health, endedAt: Date): Health {
  return { failingSince: failingSince ?? endedAt, failureCount: failureCount + 1 };
}

function hasFailedForTooLong(
  { failingSince, failureCount }: Health,
  endedAt: Date,
  { disableAfterMs, disableAfterFailures }: RetryPolicy,
): boolean {
  return (
    failingSince !== null &&
    failureCount >= disableAfterFailures &&
    endedAt.getTime() - failingSince.getTime() >= disableAfterMs
  );
}
