import {
  createPartition,
  dropPartition,
  partitionChanges,
  isLockTimeout,
  type Partition,
} from '../../src/database/partitions.js';
import { purgeCredentials } from '../../src/domain/account/purge-credentials.js';
import { purgeEndpoints } from '../../src/domain/endpoint/purge-endpoints.js';
import { purgePublishKeys } from '../../src/domain/event/publish-keys.js';
import { purgeIdempotencyRecords } from '../../src/domain/idempotency/idempotency-records.js';
import { purgeNotices } from '../../src/domain/notice/purge-notices.js';
import { LockNotAvailable, type Transact, type Tx } from '../../src/domain/tx.js';
import { jittered, delayUnlessStopped } from '../process/jitter.js';

/** What {@link Maintenance} works with. */
export interface MaintenanceOptions {
  readonly transact: Transact;
  /** The first round comes at a random moment within this time, default one minute. */
  readonly maxInitialDelayMs?: number;
  /** Told of partitions that were dropped. */
  readonly onDropped: (tables: readonly string[]) => void;
  readonly onError: (error: unknown) => void;
}

// Any constants: one process at a time does each of these.
const partitionLock = 5_418_127_730_061n;
const purgeLock = 5_418_127_730_062n;

const purgeEveryMs = 60_000;
const partitionsEveryMs = 3_600_000;
/** After a round that failed, or somebody else held a partition that is to be dropped. */
const retryMs = 60_000;
const batch = 1_000;

/** Each deletes a batch of what nobody needs any more. */
const purges = [
  purgeIdempotencyRecords,
  purgePublishKeys,
  purgeNotices,
  purgeCredentials,
  purgeEndpoints,
];

/**
 * Makes the partitions of the coming weeks that are not there yet.
 * @returns those that are past retention
 * @throws LockNotAvailable while another process does so
 */
export async function createPartitions(transact: Transact): Promise<readonly Partition[]> {
  const options = { lock: partitionLock };
  const { missing, ended } = await transact((tx) => partitionChanges(tx, tx.now), options);
  // One transaction for each, so that nobody waits for more than one table.
  for (const each of missing) {
    await transact((tx) => createPartition((text) => tx.manager.query(text), each), options);
  }
  return ended;
}

/**
 * Slow timers of every worker: makes the coming partitions and drops those past retention (H66),
 * deletes expired stored responses (H45), keys of published events, and notices, dashboard tokens and
 * deleted endpoints of long ago. Late is harmless.
 */
export class Maintenance {
  readonly #options: MaintenanceOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<unknown>;

  constructor(options: MaintenanceOptions) {
    this.#options = options;
    this.#running = Promise.all([
      this.#every(purgeEveryMs, () => this.#purge()),
      this.#every(partitionsEveryMs, () => this.#rotatePartitions()),
    ]);
  }

  /** Ends the timers and waits for what is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** @param work says when to come again, if it is not after `periodMs` */
  async #every(periodMs: number, work: () => Promise<number | undefined>): Promise<void> {
    // Soon, so that a process that never lives long does its share too.
    let wait = (this.#options.maxInitialDelayMs ?? purgeEveryMs) * Math.random();
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

  async #rotatePartitions(): Promise<number> {
    const ended = await createPartitions(this.#options.transact);
    for (const each of ended) {
      try {
        const dropped = await this.#exclusively(partitionLock, (tx) => dropPartition(tx, each));
        if (dropped) this.#options.onDropped([each.name]);
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
