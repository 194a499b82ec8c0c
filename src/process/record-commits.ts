import type { GroupCommitOptions } from '../domain/event/group-commit.js';
import type { Tracing } from '../telemetry/tracing.js';
import { isSampled } from '../telemetry/traceparent.js';

/** Records a span `commit` in the trace of each event of a group. */
export function recordCommits(tracing: Tracing): GroupCommitOptions['committing'] {
  return (events) => {
    const startMs = performance.timeOrigin + performance.now();
    return () => {
      for (const { id, traceparent } of events) {
        if (traceparent === undefined || !isSampled(traceparent)) continue;
        const span = tracing.begin({ name: 'commit', parent: traceparent, startMs });
        const attributes = { 'signalpost.event': id, 'signalpost.group.events': events.length };
        span?.end({ attributes });
      }
    };
  };
}
