import { createPartitions, dropPartitions } from '../src/database/partitions.js';
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
const batch = 1_000;

/**
 * Slow timers of every worker: makes the coming partitions and drops those past retention (H66),
 * deletes expired stored responses (H45), keys of published events and notices of long ago. Late is harmless.
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

  async #every(periodMs: number, work: () => Promise<void>): Promise<void> {
    // Soon, so that a process that never lives long does its share too.
    let wait = (this.#options.firstWithinMs ?? expiryEveryMs) * Math.random();
    while (await passed(wait, this.#stopping.signal)) {
      try {
        await work();
      } catch (error) {
        if (!(error instanceof LockTaken)) this.#options.onError(error);
      }
      wait = jittered(periodMs);
    }
  }

  async #forget(): Promise<void> {
    for (const forget of [forgetExpired, forgetPublishKeys, forgetNotices]) {
      for (let full = true; full && !this.#stopping.signal.aborted;) {
        full = (await this.#alone(expiryLock, (tx) => forget(tx, batch))) >= batch;
      }
    }
  }

  async #partition(): Promise<void> {
    const dropped = await this.#alone(partitionLock, async (tx) => {
      await createPartitions((text) => tx.manager.query(text), tx.now);
      return dropPartitions(tx, tx.now);
    });
    if (dropped.length > 0) this.#options.onDropped(dropped);
  }

  #alone<T>(lock: bigint, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#options.transact(work, { lock });
  }
}
