import type { Wakeup, WakeupKind } from '../../src/domain/transaction/wakeup.js';
import type { Random } from '../../tools/seed/random.js';
import type { MemoryStore } from './memory-store.js';
import { maxAnswerMs, maxLingerMs, type FaultRates, type Refusal } from './scenario.js';
import type { Runner, VirtualTime } from './virtual-time.js';

/** PostgreSQL did not answer, so the process does not know whether the statement ran. */
class DatabaseUnavailable extends Error {
  constructor() {
    // The service recognises by this text of pg an error that may pass.
    super('Connection terminated: the database is away');
    this.name = 'DatabaseAway';
  }
}

// One shared error, because a stack says nothing here and costs more than everything else.
const away = new DatabaseUnavailable();
const rowRefused = new Error('a row is refused');

/** The options of a {@link SimulatedDatabase}. */
interface DatabaseOptions {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly store: MemoryStore;
  readonly faultRates: () => FaultRates;
  /** Returns what the database refuses now. */
  readonly refused: () => Refusal | undefined;
  /** Called with wake-ups to send, if the process still lives. */
  readonly wake: (wakeups: readonly Wakeup[]) => void;
  /** Called when a statement or its answer got lost. */
  readonly lost: () => void;
}

/**
 * The connection of one process to the store: requests and answers travel, each may get lost, and
 * a statement that has arrived runs even if the process dies.
 */
export class SimulatedDatabase {
  readonly #options: DatabaseOptions;
  readonly #runner: Runner;

  constructor(runner: Runner, options: DatabaseOptions) {
    this.#runner = runner;
    this.#options = options;
  }

  /**
   * Runs one statement that claims. It commits by itself, so it may run after the process has lost its
   * connection.
   */
  claim<T>(work: () => T): Promise<T> {
    const { time, random, faultRates, lost } = this.#options;
    if (this.#runner.dead || !random.boolean(faultRates().claimUnanswered)) {
      return this.transact(work);
    }
    return new Promise((_resolve, reject) => {
      lost();
      time.after(maxLingerMs * random.next(), work);
      time.after(maxLingerMs * random.next(), () => reject(away), this.#runner);
    });
  }

  /** Runs `work`, which writes records, in one transaction. See {@link transact}. */
  record<T>(work: () => T): Promise<T> {
    return this.transact(work, true);
  }

  /** Runs `work` in one transaction; wake-ups are sent when the process gets the response. */
  transact<T>(work: () => T, records = false): Promise<T> {
    const { time, random, store, faultRates, refused, wake, lost } = this.#options;
    const travel = () => 0.2 + 3 * random.next();

    // A dead process does nothing more.
    if (this.#runner.dead) return new Promise(() => undefined);

    return new Promise((resolve, reject) => {
      let hasGivenUp = false;
      const fail = (reason: Error = away) => {
        lost();
        time.after(travel(), () => reject(reason), this.#runner);
      };

      const run = () => {
        if (random.boolean(faultRates().databaseAway)) {
          fail();
          return;
        }

        const result = work();
        const wakeups = store.takeWakeups();

        if (random.boolean(faultRates().responseLost)) {
          fail();
          return;
        }

        const hear = () => {
          if (hasGivenUp) return;
          if (wakeups.length > 0) wake(wakeups);
          resolve(result);
        };
        time.after(travel(), hear, this.#runner);
      };

      time.after(travel(), () => {
        const refusal = refused();
        if (refusal?.what === 'paused') {
          const giveUp = () => {
            hasGivenUp = true;
            reject(away);
          };
          time.after(maxAnswerMs, giveUp, this.#runner);
          time.after(refusal.until - time.now + travel(), run);
          return;
        }

        if (refusal?.what === 'everything' || (refusal && records)) {
          fail(refusal.what === 'rows' ? rowRefused : away);
          return;
        }

        run();
      });
    });
  }
}

/** The options of a {@link SimulatedQueue}. */
interface QueueOptions {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly faultRates: () => FaultRates;
  /** The start of virtual time, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Called with a wake-up for one of the processes that live, if there are any. */
  readonly deliver: (kind: WakeupKind, scheduled: boolean) => void;
}

/** A queue that loses wake-ups, brings them late, and brings them twice. */
export class SimulatedQueue {
  readonly #options: QueueOptions;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  readonly wake = (wakeups: readonly Wakeup[]): void => {
    const { random, faultRates } = this.#options;
    for (const wakeup of wakeups) {
      const { wakeupLost, wakeupTwice } = faultRates();
      if (random.boolean(wakeupLost)) continue;
      this.#enqueue(wakeup);
      if (random.boolean(wakeupTwice)) this.#enqueue(wakeup);
    }
  };

  #enqueue({ kind, at }: Wakeup): void {
    const { time, random, faultRates, startedAt, deliver } = this.#options;
    const late = random.boolean(faultRates().wakeupLate) ? 3_000 * random.next() : 0;
    const ahead = at ? at.getTime() - startedAt - time.now : 0;
    const isScheduled = ahead > 0;
    const travel = 1 + 5 * random.next();
    time.after(Math.max(0, ahead) + travel + late, () => deliver(kind, isScheduled));
  }
}
