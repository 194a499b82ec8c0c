import type { GroupCommitOptions } from '../domain/event/group-commit.js';
import type { Tracing } from '../telemetry/tracing.js';
import { isSampled } from '../telemetry/traceparent.js';

/** Records a span `commit` in the trace of each event that a group stored. */
export function recordCommits(tracing: Tracing): GroupCommitOptions['committing'] {
  return (events) => {
    const startMs = Date.now();
    const begunAt = performance.now();
    return (results) => {
      const endMs = startMs + performance.now() - begunAt;
      for (const [place, { id, traceparent }] of events.entries()) {
        const result = results[place];
        const isStored = typeof result === 'object' && 'created' in result && result.created;
        if (!isStored || traceparent === undefined || !isSampled(traceparent)) continue;
        const span = tracing.begin({ name: 'commit', parent: traceparent, startMs });
        const attributes = { 'signalpost.event': id, 'signalpost.group.events': events.length };
        span?.end({ attributes, endMs });
      }
    };
  };
}
