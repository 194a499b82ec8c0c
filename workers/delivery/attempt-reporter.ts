// Reports attempts: one log line each, the metrics, and the spans of recorded traces. It records nothing in
// PostgreSQL.
import type { Lane } from '../../src/domain/delivery/claim.js';
import type { EndedAttempt, SentClaim, TracedAttempt } from '../../src/domain/delivery/attempt.js';
import { failureReason } from '../../src/domain/delivery/outcome.js';
import type { RecordResult } from '../../src/domain/delivery/recording.js';
import type { Logger } from '../../src/process/log.js';
import { spanNames, type Tracing } from '../../src/process/tracing.js';
import type { WorkerMetrics } from '../metrics.js';
import { type Clock, processClock } from '../clock.js';

interface AttemptReporterOptions {
  readonly log: Logger;
  readonly metrics: WorkerMetrics;
  readonly tracing: Tracing | undefined;
}

/** Logs one line for each attempt and counts attempts in the metrics. */
export class AttemptReporter {
  readonly #options: AttemptReporterOptions;
  readonly #secretLines = new LineLimit();

  constructor(options: AttemptReporterOptions) {
    this.#options = options;
  }

  /** Logs a recorded batch; attempts of it that were not recorded had lost their claims. */
  recorded(ended: readonly EndedAttempt[], { recorded, disabled }: RecordResult): void {
    const { log, metrics } = this.#options;
    const statuses = new Map(recorded.map((result) => [result.ended, result.status]));
    for (const [status, count] of countBy(recorded, (result) => result.status)) {
      metrics.recorded.inc({ status }, count);
    }

    this.#log(ended, (attempt) => statuses.get(attempt));

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
   * Logs that an attempt lacks a secret, once a minute for each endpoint. The metric counts log lines, not
   * attempts: a delivery is retried until the key is restored.
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

    for (const [outcome, count] of countBy(attempts, ({ outcome }) => outcome.kind)) {
      metrics.attempts.inc({ outcome }, count);
    }

    const unanswered = attempts.flatMap(({ outcome }) => ('reason' in outcome ? outcome : []));
    for (const [reason, count] of countBy(unanswered, (outcome) => outcome.reason)) {
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
function countBy<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
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

/**
 * Records the spans of an attempt whose trace is recorded: `deliver`, with `claim`, `attempt` and
 * `record` in it. A first attempt is part of the trace that published the event. A retry or replay, which
 * may come days later, gets a new trace with a link to that one.
 * @param status the status of the record; undefined if the claim was lost
 */
function recordAttemptSpans(
  tracing: Tracing,
  { claim, startedAt, outcome, durationMs, deliveryId, traced }: EndedAttempt,
  status: string | undefined,
): void {
  const { traceparent } = claim.event;
  if (!traced || traceparent === undefined) return;

  const claimedMs = claim.claimedAt.getTime();
  const startMs = startedAt.getTime();
  const endMs = startMs + durationMs;
  const recordedMs = endMs + performance.now() - traced.endedAt;
  const isFirst = claim.attempt === 1 && claim.replayedFrom === null;
  const deliver = tracing.begin({
    name: 'deliver',
    startMs: claimedMs,
    ...(isFirst ? { parent: traceparent } : { link: traceparent }),
  });
  if (!deliver) return;

  const parent = deliver.traceparent;
  tracing.begin({ name: 'claim', parent, startMs: claimedMs })?.end({ endMs: startMs });

  const attempt = tracing.begin({ name: 'attempt', kind: 'client', parent, startMs });
  recordPhases(tracing, attempt?.traceparent, [startMs, endMs], traced);

  const reason = failureReason(outcome);
  const failed = reason !== null;
  attempt?.end({
    endMs,
    failed,
    attributes: {
      'http.request.method': 'POST',
      'http.response.status_code': 'status' in outcome ? outcome.status : undefined,
      'error.type': reason ?? undefined,
    },
  });

  tracing.begin({ name: 'record', parent, startMs: endMs })?.end({ endMs: recordedMs });

  deliver.end({
    endMs: recordedMs,
    failed,
    attributes: {
      'signalpost.account': claim.accountId,
      'signalpost.endpoint': claim.endpointId,
      'signalpost.event': claim.event.id,
      'signalpost.event_type': claim.event.type,
      'signalpost.delivery': deliveryId,
      'signalpost.attempt': claim.attempt,
      'signalpost.status': status ?? 'claim lost',
    },
  });
}

/** Records the phases of an attempt, one after the other. On a kept-alive connection these are only `send` and `wait`. */
function recordPhases(
  tracing: Tracing,
  parent: string | undefined,
  [startMs, attemptEndMs]: readonly [number, number],
  { timings, sendMs }: TracedAttempt,
): void {
  if (!timings) return;

  const { lookupMs, connectMs, tlsMs, firstByteMs } = timings;

  // A receiver may respond before it has read the request.
  const waitMs = firstByteMs === null ? null : Math.max(0, firstByteMs - (sendMs ?? 0));
  let phaseMs = startMs;

  for (const [name, lengthMs] of [
    ['dns', lookupMs],
    ['connect', connectMs],
    ['tls', tlsMs],
    ['send', sendMs],
    ['wait', waitMs],
  ] as const) {
    if (lengthMs === null) continue;
    const endMs = Math.min(phaseMs + lengthMs, attemptEndMs);
    tracing.begin({ name, parent, startMs: phaseMs })?.end({ endMs });
    phaseMs = endMs;
  }
}

const lineEveryMs = 60_000;
/** At most this many names are logged in a minute. */
const maxNames = 1_000;

/** Limits the log lines about lasting problems: one a minute for each name, and 1,000 a minute in all. */
export class LineLimit {
  readonly #clock: Clock;
  /** When the latest line about each name was allowed, the oldest first. */
  readonly #allowedAt = new Map<string, number>();

  /** @param clock defaults to the process clock */
  constructor(clock: Clock = processClock) {
    this.#clock = clock;
  }

  /** Says whether a line about `name` may be logged now, and counts it. */
  allows(name: string): boolean {
    const now = this.#clock.now();
    for (const [earlierName, at] of this.#allowedAt) {
      if (now - at < lineEveryMs) break;
      this.#allowedAt.delete(earlierName);
    }

    if (this.#allowedAt.has(name) || this.#allowedAt.size >= maxNames) return false;
    this.#allowedAt.set(name, now);
    return true;
  }
}
