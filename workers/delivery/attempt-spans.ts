import type { EndedAttempt, TracedAttempt } from '../../src/domain/delivery/rules/attempt.js';
import { failureReason } from '../../src/domain/delivery/rules/outcome.js';
import type { Tracing } from '../../src/telemetry/tracing.js';

/**
 * Records the spans of an attempt whose trace is recorded: `deliver`, with `claim`, `attempt` and
 * `record` in it. A first attempt is part of the trace that published the event. Retries and replays,
 * which may come days later, have a trace of their own that links to it.
 * @param status of the record; undefined if the claim was lost
 */
export function recordAttemptSpans(
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

/** One after the other: a connection that was kept alive has only `send` and `wait`. */
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
