import { readBacklog } from '../domain/delivery/backlog.js';
import { countFullAccounts } from '../domain/delivery/full-accounts.js';
import { readNoticeBacklog } from '../domain/notice/backlog.js';
import { countRecoveries } from '../domain/recovery/end-recoveries.js';
import type { Read } from '../domain/tx.js';
import { readAliveWorkers } from '../domain/worker/heartbeats.js';
import { checkHealth, type Health } from './health.js';
import type { EngineReading } from './engine-reading.js';

/** What an operator asks first, in one answer. A part that cannot be read is null. */
export interface ServiceStatus extends Readonly<Record<string, unknown>> {
  readonly status: 'ready' | 'not ready';
}

export interface StatusSources {
  readonly read: Read;
  readonly health: Health;
  /** Wake-ups that wait in the queue, by kind. */
  readonly depths: () => Promise<Readonly<Record<string, number>>>;
}

/** Reads workers and backlog for a scrape of the API. @throws what PostgreSQL throws */
export async function readEngine(read: Read): Promise<EngineReading> {
  const [workers, backlog] = await Promise.all([readAliveWorkers(read), readBacklog(read)]);
  return {
    workersAlive: workers.length,
    ready: backlog.ready,
    oldestDueSeconds: backlog.oldestDueSeconds,
    oldestBacklogSeconds: backlog.oldestBacklogSeconds,
  };
}

/** Reads the whole status. Every statement is bounded, and each part fails by itself. */
export async function readStatus({ read, health, depths }: StatusSources): Promise<ServiceStatus> {
  const [{ ready, dependencies }, workers, backlog, notices, recoveries, full, queue] =
    await Promise.all([
      checkHealth(health),
      orNull(readAliveWorkers(read)),
      orNull(readBacklog(read)),
      orNull(readNoticeBacklog(read)),
      orNull(countRecoveries(read)),
      orNull(countFullAccounts(read)),
      orNull(depths()),
    ]);
  return {
    status: ready ? 'ready' : 'not ready',
    dependencies,
    workers:
      workers?.map(({ id, roles, startedAt, seenSeconds }) => ({
        ...{ id, roles, started_at: startedAt.toISOString(), seen_seconds: seenSeconds },
      })) ?? null,
    pending_deliveries: backlog && {
      ...{ ready: backlog.ready, claimed: backlog.claimed, waiting: backlog.waiting },
      ...{ isolated: backlog.isolated, dead_letters: backlog.deadLettered },
      oldest_due_seconds: backlog.oldestDueSeconds,
      backlog_oldest_seconds: backlog.oldestBacklogSeconds,
    },
    notices: notices && {
      ...{ pending: notices.pending, refused: notices.refused },
      oldest_seconds: notices.oldestPendingSeconds,
    },
    recoveries,
    accounts_full: full,
    queue_depth: queue,
  };
}

/** `dependencies` says which dependency is away, so the cause is not lost. */
function orNull<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch(() => null);
}
