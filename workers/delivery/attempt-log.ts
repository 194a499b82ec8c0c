import type { Lane } from '../../src/domain/delivery/claim.js';
import type { EndedAttempt, SentClaim } from '../../src/domain/delivery/rules/attempt.js';
import { failureReason } from '../../src/domain/delivery/rules/outcome.js';
import type { RecordResult } from '../../src/domain/delivery/sql/record-results.js';
import type { Logger } from '../../src/process/log.js';
import { spanNames, type Tracing } from '../../src/telemetry/tracing.js';
import { recordAttemptSpans } from './attempt-spans.js';
import { LineLimit } from '../process/line-limit.js';
import type { WorkerMetrics } from '../process/metrics.js';

export interface AttemptLogOptions {
  readonly log: Logger;
  readonly metrics: WorkerMetrics;
  readonly tracing: Tracing | undefined;
}

/** Logs one line for each attempt and counts attempts in the metrics. */
export class AttemptLog {
  readonly #options: AttemptLogOptions;
  readonly #secretLines = new LineLimit();

  constructor(options: AttemptLogOptions) {
    this.#options = options;
  }

  /** Logs a recorded batch; attempts of it that were not recorded had lost their claims. */
  recorded(ended: readonly EndedAttempt[], { recorded, disabled }: RecordResult): void {
    const { log, metrics } = this.#options;
    const statuses = new Map(recorded.map((each) => [each.ended, each.status]));
    for (const [status, count] of countBy(recorded, (each) => each.status)) {
      metrics.recorded.inc({ status }, count);
    }
    this.#log(ended, (each) => statuses.get(each));
    metrics.lostClaims.inc(ended.length - recorded.length);
    metrics.disabled.inc(disabled.length);
    for (const endpoint of disabled) log.warn({ endpoint }, 'endpoint disabled');
  }

  /** Logs attempts that were not recorded before their leases ended. */
  dropped(ended: readonly EndedAttempt[]): void {
    this.#options.metrics.dropped.inc(ended.length);
    this.#log(ended, () => 'dropped');
  }

  /** Logs a claim that failed; the next poll claims again. */
  claimFailed(error: unknown, lane: Lane): void {
    this.#options.metrics.internalErrors.inc();
    this.#options.log.warn(
      { err: error, lane },
      'could not claim deliveries; the next poll retries',
    );
  }

  /** Logs that the attempt of `claim` failed by an error of the service. */
  attemptFailed(error: unknown, claim: SentClaim): void {
    this.#options.metrics.internalErrors.inc();
    this.#options.log.error({ err: error, ...namesOf(claim) }, 'could not make an attempt');
  }

  /**
   * Logs that an attempt lacks a secret, once a minute for each endpoint. The metric counts these lines:
   * each delivery comes back until the key does.
   */
  secretMissing({ endpointId, accountId }: SentClaim, reason: string): void {
    if (!this.#secretLines.allows(endpointId)) return;
    this.#options.metrics.internalErrors.inc();
    this.#options.log.error({ account: accountId, endpoint: endpointId }, reason);
  }

  /** Logs that releasing claims failed permanently. */
  releaseFailed(error: unknown): void {
    this.#options.metrics.internalErrors.inc();
    this.#options.log.warn({ err: error }, 'could not release a claim; its lease will expire');
  }

  /** @param statusOf undefined for an attempt whose claim was lost */
  #log(
    attempts: readonly EndedAttempt[],
    statusOf: (ended: EndedAttempt) => string | undefined,
  ): void {
    const { log, metrics } = this.#options;
    for (const [outcome, count] of countBy(attempts, (each) => each.outcome.kind)) {
      metrics.attempts.inc({ outcome }, count);
    }
    const unanswered = attempts.flatMap(({ outcome }) => ('reason' in outcome ? outcome : []));
    for (const [reason, count] of countBy(unanswered, (each) => each.reason)) {
      metrics.unanswered.inc({ reason }, count);
    }
    const { tracing } = this.#options;
    for (const ended of attempts) {
      metrics.duration.observe(ended.durationMs / 1_000);
      const status = statusOf(ended);
      if (tracing && ended.traced) recordAttemptSpans(tracing, ended, status);
      const line = lineOf(ended, status ?? 'claim lost');
      if (status === undefined || status === 'dropped') log.warn(line, 'attempt not recorded');
      else log.info(line, 'attempt');
    }
  }
}

/** Counts by name, so that each metric is increased once per batch. */
function countBy<Each>(all: readonly Each[], nameOf: (each: Each) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const each of all) counts.set(nameOf(each), (counts.get(nameOf(each)) ?? 0) + 1);
  return counts;
}

function lineOf({ claim, outcome, durationMs, deliveryId }: EndedAttempt, status: string) {
  return {
    delivery: deliveryId,
    ...namesOf(claim),
    status,
    response_status: 'status' in outcome ? outcome.status : undefined,
    reason: failureReason(outcome) ?? undefined,
    duration_ms: Math.round(durationMs),
  };
}

function namesOf(claim: SentClaim) {
  return {
    pending_delivery: claim.pendingDeliveryId,
    account: claim.accountId,
    endpoint: claim.endpointId,
    event: claim.event.id,
    event_type: claim.event.type,
    attempt: claim.attempt,
    max_attempts: claim.maxAttempts,
    replayed_from: claim.replayedFrom ?? undefined,
    trace_id: spanNames(claim.event.traceparent).trace_id,
  };
}
