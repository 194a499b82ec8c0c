import { DatabaseClock } from '../database/clock.js';
import { EventPublisher, type PublisherOptions } from '../domain/event/event-publisher.js';
import type { Logger } from './log.js';
import type { Tracing } from '../telemetry/tracing.js';
import { recordCommits } from './record-commits.js';
import { reportMismatches } from './report-mismatches.js';

/** What the publisher of a process needs. */
export interface CreatePublisherOptions extends Pick<
  PublisherOptions,
  'read' | 'keyWait' | 'wake'
> {
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
