import {
  createPartition,
  dropPartition,
  duePartitions,
  isLockTimeout,
  type Partition,
} from '../src/database/partitions.js';
import { forgetCredentials } from '../src/domain/account/forget-credentials.js';
import { forgetEndpoints } from '../src/domain/endpoint/forget-endpoints.js';
import { forgetPublishKeys } from '../src/domain/event/publish-keys.js';
import { forgetExpired } from '../src/domain/idempotency/once.js';
import { forgetNotices } from '../src/domain/notice/forget.js';
import { LockTaken, type Transact, type Tx } from '../src/domain/tx.js';
import { jittered, passed } from './rounds.js';

/** What {@link Upkeep} works with. */
export interface UpkeepOptions {
  readonly transact: Transact;
  /** The first round comes at a random moment within this time, default one minute. */
  readonly firstWithinMs?: number;
  /** Told of partitions that were dropped. */
  readonly onDropped: (tables: readonly string[]) => void;
  readonly onError: (error: unknown) => void;
}

// Any constants: one process at a time does each of these.
const partitionLock = 5_418_127_730_061n;
const expiryLock = 5_418_127_730_062n;

const expiryEveryMs = 60_000;
const partitionsEveryMs = 3_600_000;
/** After a round that failed, or somebody else held a partition that is to be dropped. */
const soonMs = 60_000;
const batch = 1_000;

/** Each deletes a batch of what nobody needs any more. */
const forgetting = [
  forgetExpired,
  forgetPublishKeys,
  forgetNotices,
  forgetCredentials,
  forgetEndpoints,
];

/**
 * Makes the partitions of the coming weeks that are not there yet.
 * @returns those that are past retention
 * @throws LockTaken while another process does so
 */
export async function makePartitions(transact: Transact): Promise<readonly Partition[]> {
  const options = { lock: partitionLock };
  const { missing, ended } = await transact((tx) => duePartitions(tx, tx.now), options);
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
export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<unknown>;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#running = Promise.all([
      this.#every(expiryEveryMs, () => this.#forget()),
      this.#every(partitionsEveryMs, () => this.#partition()),
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
    let wait = (this.#options.firstWithinMs ?? expiryEveryMs) * Math.random();
    while (await passed(wait, this.#stopping.signal)) {
      let period = periodMs;
      try {
        period = (await work()) ?? periodMs;
      } catch (error) {
        if (!(error instanceof LockTaken)) {
          this.#options.onError(error);
          period = Math.min(periodMs, soonMs);
        }
      }
      wait = jittered(period);
    }
  }

  async #forget(): Promise<undefined> {
    for (const forget of forgetting) {
      for (let full = true; full && !this.#stopping.signal.aborted;) {
        full = (await this.#alone(expiryLock, (tx) => forget(tx, batch))) >= batch;
      }
    }
  }

  async #partition(): Promise<number> {
    const ended = await makePartitions(this.#options.transact);
    for (const each of ended) {
      try {
        const dropped = await this.#alone(partitionLock, (tx) => dropPartition(tx, each));
        if (dropped) this.#options.onDropped([each.name]);
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        return soonMs;
      }
    }
    return partitionsEveryMs;
  }

  #alone<T>(lock: bigint, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#options.transact(work, { lock });
  }
}
