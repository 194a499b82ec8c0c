import type { DisabledReason } from '../../disabled-reason.js';
import type { RetryPolicy } from '../../rules.js';
import { isGone } from './next-step.js';
import type { Outcome } from './outcome.js';

/** An endpoint's current run of failed attempts; null and 0 when the last attempt succeeded. */
export interface Health {
  readonly failingSince: Date | null;
  readonly failureCount: number;
  /** How many warnings this run has caused: one at each of {@link warningParts}. */
  readonly warnings: number;
}

/** The owner is warned at these parts of the time after which the endpoint is disabled. */
const warningParts = [0.25, 0.75] as const;

/** The result of {@link assessHealth}. */
export interface HealthAssessment {
  readonly health: Health;
  readonly disable?: { readonly reason: DisabledReason; readonly last: Outcome };
  /** The last failure, if the run became long enough for a warning. */
  readonly warn?: Outcome;
  /** The run that ended, if it had caused a warning. */
  readonly recovered?: Health;
}

/** One attempt that counts for health. Test deliveries do not count. */
export interface HealthSample {
  readonly outcome: Outcome;
  readonly endedAt: Date;
}

const healthy: Health = { failingSince: null, failureCount: 0, warnings: 0 };

/**
 * Assesses an endpoint by its attempts, oldest first:
 * - a 2xx ends the run of failures, and is announced if the run had caused a warning;
 * - a 410 disables the endpoint at once;
 * - a run that is long enough and has enough failures disables it;
 * - before that, a run causes one warning at each of {@link warningParts}, the later of two at once.
 * Attempts after the one that disables it do not count.
 */
export function assessHealth(
  before: Health,
  samples: readonly HealthSample[],
  policy: RetryPolicy,
): HealthAssessment {
  let health = before;
  let warned = health.warnings > 0;
  let warn: Outcome | undefined;
  let recovered: Health | undefined;
  const assessment = (more: Partial<HealthAssessment>): HealthAssessment => ({
    health,
    ...(recovered && { recovered }),
    ...more,
  });
  for (const { outcome, endedAt } of samples) {
    if (outcome.kind === 'accepted') {
      if (warned) recovered = health;
      health = healthy;
      warn = undefined;
      warned = false;
      continue;
    }
    const { warnings } = health;
    health = withFailure(health, endedAt, policy);
    if (health.warnings > warnings) warn = outcome;
    if (isGone(outcome)) return assessment({ disable: { reason: 'receiver_gone', last: outcome } });
    if (hasFailedForTooLong(health, endedAt, policy)) {
      return assessment({ disable: { reason: 'consecutive_failures', last: outcome } });
    }
  }
  return assessment(warn ? { warn } : {});
}

/** Whether two states of health are equal, so nothing needs to be written. */
export function sameHealth(one: Health, other: Health): boolean {
  return (
    one.failureCount === other.failureCount &&
    one.warnings === other.warnings &&
    one.failingSince?.getTime() === other.failingSince?.getTime()
  );
}

function withFailure(before: Health, endedAt: Date, { disableAfterMs }: RetryPolicy): Health {
  const failingSince = before.failingSince ?? endedAt;
  const failedMs = endedAt.getTime() - failingSince.getTime();
  const due = warningParts.filter((part) => failedMs >= part * disableAfterMs).length;
  const warnings = Math.max(before.warnings, due);
  return { failingSince, failureCount: before.failureCount + 1, warnings };
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
