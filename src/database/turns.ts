import { type Transact, TurnRefused } from '../domain/tx.js';

/** How many may work and wait, and for how long. */
export interface TurnOptions {
  /** Transactions of one turn that run at once. */
  readonly atOnce: number;
  /** Transactions of one turn that wait; one more is refused at once. */
  readonly waiting: number;
  /** How long one waits before it is refused, in milliseconds. */
  readonly patienceMs: number;
}

interface Line {
  running: number;
  /** In the order they came. */
  readonly waiting: Set<Waiter>;
}

interface Waiter {
  readonly admit: () => void;
}

/**
 * Turns by name, first come first served, in the memory of this process: what would queue for the
 * same rows queues here, where it holds no connection.
 */
export class Turns {
  readonly #options: TurnOptions;
  readonly #lines = new Map<string, Line>();
  #waiting = 0;

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  /** How many wait at this moment, in all lines. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Waits until it is one's turn.
   * @returns ends the turn; to be called once
   * @throws TurnRefused when too many wait already, or the wait was too long
   */
  async take(name: string): Promise<() => void> {
    const line = this.#lines.get(name) ?? { running: 0, waiting: new Set() };
    this.#lines.set(name, line);
    if (line.running < this.#options.atOnce) line.running += 1;
    else await this.#wait(line);
    return () => {
      const [next] = line.waiting;
      // Handed over, so that nobody who comes now is served before those who wait.
      if (next) next.admit();
      else line.running -= 1;
      if (line.running === 0) this.#lines.delete(name);
    };
  }

  #wait(line: Line): Promise<void> {
    const { waiting, patienceMs } = this.#options;
    if (line.waiting.size >= waiting)
      throw new TurnRefused('Too many changes wait for a slot of this account.');
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        line.waiting.delete(waiter);
        this.#waiting -= 1;
      };
      const waiter: Waiter = {
        admit() {
          leave();
          resolve();
        },
      };
      const timer = setTimeout(() => {
        leave();
        reject(
          new TurnRefused(`Timed out after ${patienceMs} ms waiting for a slot of this account.`),
        );
      }, patienceMs);
      line.waiting.add(waiter);
      this.#waiting += 1;
    });
  }
}

/** A {@link Transact} that waits for the turn it is told of before it takes a connection. */
export function inTurn(transact: Transact, turns: Turns): Transact {
  return async (work, options) => {
    if (options?.turn === undefined) return transact(work, options);
    const end = await turns.take(options.turn);
    try {
      return await transact(work, options);
    } finally {
      end();
    }
  };
}
