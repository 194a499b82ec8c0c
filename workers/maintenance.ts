import {
  createPartition,
  dropPartition,
  partitionChanges,
  isLockTimeout,
  type Partition,
} from '../src/database/partitions.js';
import { purgeCredentials } from '../src/domain/account/credentials.js';
import { purgeAuditEntries } from '../src/domain/audit/audit-log.js';
import { foldStatistics, purgeStatistics } from '../src/domain/delivery/statistics.js';
import { markFullAccounts, type PendingLimits } from '../src/domain/delivery/full-accounts.js';
import { purgeEndpoints } from '../src/domain/endpoint/change-endpoint.js';
import { purgeStreamOnlyEvents, purgePublishKeys } from '../src/domain/event/events.js';
import { runErasureStep } from '../src/domain/erasure/run-step.js';
import { backfillMailboxes } from '../src/domain/account/backfill-mailboxes.js';
import { purgeIdempotencyRecords } from '../src/domain/idempotency/idempotency-records.js';
import { purgePortalLinks, purgePortalSessions } from '../src/domain/portal/portal-sessions.js';
import { purgeRecoveries } from '../src/domain/recovery/recoveries.js';
import {
  purgeLinks,
  purgeOperatorSessions,
  purgeSessions,
} from '../src/domain/session/sessions.js';
import { purgeNotices } from '../src/domain/notice/notices.js';
import { purgeStreamProcesses } from '../src/domain/stream/slots.js';
import { purgeHeartbeats } from '../src/domain/worker/heartbeats.js';
import { LockNotAvailable, type Transact, type Tx } from '../src/domain/transaction/tx.js';
import { jittered, delayUnlessStopped } from './clock.js';

interface MaintenanceOptions {
  readonly transact: Transact;
  /** Limits from which on the events of an account are refused. */
  readonly pendingPerAccount: PendingLimits;
  /** The first run starts at a random time within this many milliseconds. Defaults to 60,000. */
  readonly maxInitialDelayMs?: number;
  /** Called with partitions that were dropped. */
  readonly onDropped: (tables: readonly string[]) => void;
  readonly onError: (error: unknown) => void;
}

// Arbitrary ids of advisory locks: only one process at a time does each job.
const partitionLock = 5_418_127_730_061n;
const purgeLock = 5_418_127_730_062n;
const foldLock = 5_418_127_730_071n;
const markLock = 5_418_127_730_081n;
const fillLock = 5_418_127_730_091n;

const purgeEveryMs = 60_000;
/** Statistics lag by at most a minute, one failed run included. */
const foldEveryMs = 25_000;
/** Accounts are counted this often, so an account can exceed its limit by what it publishes within this time. */
const markEveryMs = 5_000;
/** At least this time passes between two counts, over all workers. */
const markRestMs = 4_000;
const eraseEveryMs = 5_000;
/** Addresses written by the previous release get their new form within this time. */
const fillEveryMs = 5_000;
const partitionsEveryMs = 3_600_000;
/** Pause after a run that failed, or found a partition to drop locked. */
const retryMs = 60_000;
const batch = 1_000;
/** Folding a batch takes well under a second, and recording never waits for it. */
const foldBatch = 1_000;

/** A purge deletes one batch of rows past their retention. */
const purges = [
  purgeIdempotencyRecords,
  purgePublishKeys,
  purgeStreamOnlyEvents,
  purgeNotices,
  purgeCredentials,
  purgeEndpoints,
  purgeStatistics,
  purgeRecoveries,
  purgeSessions,
  purgeOperatorSessions,
  purgeLinks,
  purgePortalSessions,
  purgePortalLinks,
  purgeHeartbeats,
  purgeAuditEntries,
  purgeStreamProcesses,
];

/**
 * Creates the missing partitions of the coming weeks.
 * @returns the partitions past retention
 * @throws LockNotAvailable while another process does so
 */
export async function createPartitions(transact: Transact): Promise<readonly Partition[]> {
  const options = { lock: partitionLock };
  const { missing, ended } = await transact((tx) => partitionChanges(tx, tx.now), options);
  // One transaction per partition: what is made stays made if a lock is not free.
  for (const partition of missing) {
    await transact((tx) => createPartition((text) => tx.manager.query(text), partition), options);
  }
  return ended;
}

/**
 * Slow timers of every worker. A late run does no harm. They
 *
 * - create the coming partitions and drop those past retention;
 * - purge expired idempotency records, publish keys, test events that only the stream shows, notices,
 *   dashboard tokens, deleted endpoints, ended recoveries, sessions, links to sign in, heartbeats of
 *   ended workers, audit entries and stream slots of ended API processes;
 * - fold recorded results into the statistics of deliveries;
 * - mark the accounts whose pending deliveries have reached a limit;
 * - run erasures of accounts and buyers;
 * - fill in the forms of addresses that processes of the previous release wrote.
 */
export class Maintenance {
  readonly #options: MaintenanceOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<unknown>;

  constructor(options: MaintenanceOptions) {
    this.#options = options;
    this.#running = Promise.all([
      this.#every(purgeEveryMs, () => this.#purge()),
      this.#every(foldEveryMs, () => this.#fold()),
      this.#every(markEveryMs, () => this.#markFullAccounts()),
      this.#every(eraseEveryMs, () => this.#erase()),
      this.#every(fillEveryMs, () => this.#backfillMailboxes()),
      this.#every(partitionsEveryMs, () => this.#rotatePartitions()),
    ]);
  }

  /** Stops the timers and waits for the running job. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** @param work returns the milliseconds until its next run; undefined means `periodMs` */
  async #every(periodMs: number, work: () => Promise<number | undefined>): Promise<void> {
    // The first run comes soon, so that a process that restarts often runs the job, too.
    let wait = Math.min(this.#options.maxInitialDelayMs ?? purgeEveryMs, periodMs) * Math.random();
    while (await delayUnlessStopped(wait, this.#stopping.signal)) {
      let period = periodMs;
      try {
        period = (await work()) ?? periodMs;
      } catch (error) {
        if (!(error instanceof LockNotAvailable)) {
          this.#options.onError(error);
          period = Math.min(periodMs, retryMs);
        }
      }

      wait = jittered(period);
    }
  }

  async #purge(): Promise<undefined> {
    for (const purge of purges) {
      for (let full = true; full && !this.#stopping.signal.aborted;) {
        full = (await this.#exclusively(purgeLock, (tx) => purge(tx, batch))) >= batch;
      }
    }
  }

  async #fold(): Promise<undefined> {
    for (let full = true; full && !this.#stopping.signal.aborted;) {
      full =
        (await this.#exclusively(foldLock, (tx) => foldStatistics(tx, foldBatch))) >= foldBatch;
    }
  }

  async #markFullAccounts(): Promise<undefined> {
    const { pendingPerAccount } = this.#options;
    await this.#exclusively(markLock, (tx) => markFullAccounts(tx, pendingPerAccount, markRestMs));
  }

  /** Takes steps until none is due. PostgreSQL gives each step to one process. */
  async #erase(): Promise<undefined> {
    while (!this.#stopping.signal.aborted) {
      if (!(await runErasureStep(this.#options.transact))) return;
    }
  }

  async #backfillMailboxes(): Promise<undefined> {
    for (let full = true; full && !this.#stopping.signal.aborted;) {
      full = (await this.#exclusively(fillLock, (tx) => backfillMailboxes(tx, batch))) >= batch;
    }
  }

  async #rotatePartitions(): Promise<number> {
    const ended = await createPartitions(this.#options.transact);
    for (const partition of ended) {
      try {
        const dropped = await this.#exclusively(partitionLock, (tx) =>
          dropPartition(tx, partition),
        );
        if (dropped) this.#options.onDropped([partition.name]);
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        return retryMs;
      }
    }
    return partitionsEveryMs;
  }

  #exclusively<T>(lock: bigint, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#options.transact(work, { lock });
  }
}
