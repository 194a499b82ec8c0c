import type { DisabledReason } from '../../disabled-reason.js';
import type { RetryPolicy } from '../../rules.js';
import { isGone } from './next-step.js';
import type { Outcome } from './outcome.js';

/** An endpoint's current run of failed attempts; null and 0 when the last attempt succeeded. */
export interface Health {
  readonly failingSince: Date | null;
  readonly failureCount: number;
}

/** The result of {@link assessHealth}. */
export interface HealthAssessment {
  readonly health: Health;
  readonly disable?: { readonly reason: DisabledReason; readonly last: Outcome };
}

/** One attempt that counts for health. Test deliveries do not count. */
export interface HealthSample {
  readonly outcome: Outcome;
  readonly endedAt: Date;
}

const healthy: Health = { failingSince: null, failureCount: 0 };

/**
 * Assesses an endpoint by its attempts, oldest first:
 * - a 2xx ends the run of failures;
 * - a 410 disables the endpoint at once;
 * - a run that is long enough and has enough failures disables it.
 * Attempts after the one that disables it do not count.
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

/** Whether two states of health are equal, so nothing needs to be written. */
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
