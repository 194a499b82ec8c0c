import { DatabaseClock } from '../database/clock.js';
import type { Issue } from '../domain/errors.js';
import { EventPublisher, type PublisherOptions } from '../domain/event/event-publisher.js';
import type { GroupCommitOptions } from '../domain/event/group-commit.js';
import { isSampled, type Tracing } from '../telemetry/tracing.js';
import type { Logger } from './log.js';

/** The options of the publisher. */
interface CreatePublisherOptions extends Pick<PublisherOptions, 'read' | 'keyWait' | 'wake'> {
  readonly tracing: Tracing | undefined;
  readonly log: Pick<Logger, 'warn'>;
  readonly metrics: {
    readonly accepted: (events: number) => void;
    readonly schemaMismatch: (type: string) => void;
  };
}

/** Creates the publisher of this process. Its groups use at most two connections of `read`. */
export function createPublisher(options: CreatePublisherOptions): EventPublisher {
  const { read, keyWait, wake, log, metrics, tracing } = options;
  return new EventPublisher({
    read,
    keyWait,
    wake,
    accepted: metrics.accepted,
    committing: tracing && recordCommits(tracing),
    clock: new DatabaseClock(read),
    monotonicMs: () => performance.now(),
    mismatched: reportMismatches(log, metrics.schemaMismatch),
  });
}

/** Records a span `commit` in the trace of each event that a group commits. */
function recordCommits(tracing: Tracing): GroupCommitOptions['committing'] {
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

const intervalMs = 60_000;
/** More than a catalogue has. */
const maxTypes = 1_000;
const maxPaths = 5;

/**
 * Counts and logs published events whose data breaks a schema that only warns. Logs each type at most once
 * a minute, with the number of events since its last line.
 */
function reportMismatches(
  log: Pick<Logger, 'warn'>,
  count: (type: string) => void,
  now: () => number = () => performance.now(),
): (type: string, issues: readonly Issue[]) => void {
  const types = new Map<string, { loggedAt: number; events: number }>();
  return (type, issues) => {
    count(type);
    const at = now();
    const entry = types.get(type) ?? { loggedAt: -Infinity, events: 0 };
    entry.events += 1;
    if (types.size < maxTypes) types.set(type, entry);
    if (at - entry.loggedAt < intervalMs) return;
    const paths = issues.slice(0, maxPaths).map(({ param, detail }) => `${param}: ${detail}`);
    log.warn({ event_type: type, events: entry.events, paths }, 'data of events breaks its schema');
    Object.assign(entry, { loggedAt: at, events: 0 });
  };
}
