import {
  type Backlog,
  readBacklog,
  type LaneBacklog,
  readLaneBacklogs,
} from '../delivery/backlog.js';
import { countFullAccounts } from '../delivery/full-accounts.js';
import { readRecentOutcomes, type RecentOutcomes } from '../delivery/statistics.js';
import { type NoticeBacklog, readNoticeBacklog } from '../notice/notices.js';
import { type ActiveRecoveries, countRecoveries } from '../recovery/recoveries.js';
import type { Read } from '../transaction/tx.js';
import { type AliveWorker, readAliveWorkers } from '../worker/heartbeats.js';

/** What PostgreSQL knows about the work of all accounts. A part that cannot be read is null. */
export interface EngineFacts {
  readonly workers: readonly AliveWorker[] | null;
  readonly backlog: Backlog | null;
  readonly notices: NoticeBacklog | null;
  readonly recoveries: ActiveRecoveries | null;
  readonly fullAccounts: number | null;
}

/** The overview page of operators. */
export interface ServiceFacts extends EngineFacts {
  readonly ready: boolean;
  readonly dependencies: Readonly<Record<string, 'ok' | 'away' | 'missing' | 'refused'>>;
  readonly lanes: readonly LaneBacklog[] | null;
  readonly outcomes: RecentOutcomes | null;
  /** Wake-ups that wait in the queue, by kind; null while the queue cannot be reached. */
  readonly queueDepths: Readonly<Record<string, number>> | null;
}

/** Reads the {@link EngineFacts}. Every statement has bounded cost. If one fails, the others are still read. */
export async function readEngineFacts(read: Read): Promise<EngineFacts> {
  const [workers, backlog, notices, recoveries, fullAccounts] = await Promise.all([
    orNull(readAliveWorkers(read)),
    orNull(readBacklog(read)),
    orNull(readNoticeBacklog(read)),
    orNull(countRecoveries(read)),
    orNull(countFullAccounts(read)),
  ]);
  return { workers, backlog, notices, recoveries, fullAccounts };
}

/** Reads what only the pages of operators show, as {@link readEngineFacts} does. */
export async function readFlow(read: Read): Promise<Pick<ServiceFacts, 'lanes' | 'outcomes'>> {
  const [lanes, outcomes] = await Promise.all([
    orNull(readLaneBacklogs(read)),
    orNull(readRecentOutcomes(read)),
  ]);
  return { lanes, outcomes };
}

/** Returns null if the reading fails. Health checks report the cause. */
export function orNull<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch(() => null);
}
