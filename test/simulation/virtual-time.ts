import type { Clock } from '../../workers/clock.js';

/** Something that runs code: a process that may stand still or die. */
export interface Runner {
  dead: boolean;
  /** Runs no code before this time, in milliseconds. */
  stalledUntil: number;
}

interface Timer {
  at: number;
  order: number;
  readonly runner: Runner | undefined;
  readonly work: () => void;
  cancelled: boolean;
}

/** Turns between two looks of Node at its own timers and sockets. */
const turnsPerBatch = 128;

/**
 * Time that passes only from one event to the next, in one thread and in one order. All promises
 * that an event settles run to their end before the next event begins.
 */
export class VirtualTime {
  readonly #heap: Timer[] = [];
  #now = 0;
  #order = 0;

  /** Milliseconds since the beginning. */
  get now(): number {
    return this.#now;
  }

  /**
   * Plans `work` of `runner` in `ms` milliseconds. Work without a runner, such as that of the network, is never
   * delayed.
   * @returns a function that cancels it
   */
  after(ms: number, work: () => void, runner?: Runner): () => void {
    const at = this.#now + Math.max(0, ms);
    const timer = { at, order: this.#order++, runner, work, cancelled: false };
    this.#push(timer);
    return () => {
      timer.cancelled = true;
    };
  }

  /** Returns the clock that a process sees. */
  clockOf(runner: Runner): Clock {
    return { now: () => this.#now, after: (ms, work) => this.after(ms, work, runner) };
  }

  /** Runs events until `ended` returns true or none is left; rejects with what `work` throws. */
  run(ended: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      let over = false;
      const turn = () => {
        if (over) return;
        try {
          over = ended() || !this.#next();
        } catch (error) {
          over = true;
          reject(error instanceof Error ? error : new Error(String(error)));
        }
        if (over) resolve();
      };

      const turns = () => {
        // Node follows every promise between two of these, and polls nothing.
        for (let count = 1; count < turnsPerBatch; count += 1) setImmediate(turn);
        setImmediate(() => {
          turn();
          if (!over) turns();
        });
      };
      turns();
    });
  }

  #next(): boolean {
    for (let timer = this.#pop(); timer; timer = this.#pop()) {
      const { runner } = timer;
      if (timer.cancelled || runner?.dead) continue;

      if (runner && runner.stalledUntil > timer.at) {
        timer.at = runner.stalledUntil;
        timer.order = this.#order++;
        this.#push(timer);
        continue;
      }

      this.#now = timer.at;
      timer.work();

      return true;
    }

    return false;
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(timer);
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = heap[above]!;
      if (!isBefore(timer, parent)) break;
      heap[place] = parent;
      place = above;
    }
    heap[place] = timer;
  }

  #pop(): Timer | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;

    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below += 1;
      if (!isBefore(heap[below]!, last)) break;
      heap[place] = heap[below]!;
      place = below;
    }

    heap[place] = last;

    return first;
  }
}

function isBefore(one: Timer, other: Timer): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
