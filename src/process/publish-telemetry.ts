// What the API process reports about publishing, besides its metrics: a span for each commit of a group, and a line in the
// log for data that breaks its schema.
import type { Issue } from '../domain/errors.js';
import type { GroupCommitOptions } from '../domain/event/group-commit.js';
import type { Logger } from './log.js';
import { isSampled, type Tracing } from './tracing.js';

/** Records a span `commit` in the trace of each event that a group commits. */
export function traceCommits(tracing: Tracing): GroupCommitOptions['committing'] {
  return (events) => {
    const startMs = Date.now();
    const startedAt = performance.now();

    return (results) => {
      const endMs = startMs + performance.now() - startedAt;
      for (const [index, { id, traceparent }] of events.entries()) {
        const result = results[index];
        const isStored = typeof result === 'object' && 'created' in result && result.created;
        if (!isStored || traceparent === undefined || !isSampled(traceparent)) continue;

        const span = tracing.begin({ name: 'commit', parent: traceparent, startMs });
        const attributes = { 'signalpost.event': id, 'signalpost.group.events': events.length };
        span?.end({ attributes, endMs });
      }
    };
  };
}

const mismatchIntervalMs = 60_000;
/** At most this many types are remembered, more than a catalogue has. */
const maxMismatchedTypes = 1_000;
const maxLoggedPaths = 5;

/**
 * Counts and logs published events whose data breaks a schema that only warns. Logs each type at most once
 * a minute, with the number of events since its last line.
 */
export function reportMismatches(
  log: Pick<Logger, 'warn'>,
  count: (type: string) => void,
): (type: string, issues: readonly Issue[]) => void {
  const types = new Map<string, { loggedAt: number; events: number }>();
  return (type, issues) => {
    count(type);
    const now = performance.now();
    const entry = types.get(type) ?? { loggedAt: -Infinity, events: 0 };
    entry.events += 1;
    if (types.size < maxMismatchedTypes) types.set(type, entry);
    if (now - entry.loggedAt < mismatchIntervalMs) return;

    const paths = issues.slice(0, maxLoggedPaths).map(({ param, detail }) => `${param}: ${detail}`);
    log.warn({ event_type: type, events: entry.events, paths }, 'data of events breaks its schema');
    Object.assign(entry, { loggedAt: now, events: 0 });
  };
}
