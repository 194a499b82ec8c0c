import { setTimeout as pause } from 'node:timers/promises';
import { isLongRun } from './long-run.js';

/** The schedule of a fault: the pause before each injection, their number, and their duration. */
interface Schedule {
  readonly everyMs: number;
  readonly times: number;
  readonly faultMs?: number;
}

/** The schedules of `npm run test:long`. */
const schedules = {
  'answers of commits cut': { everyMs: 0, times: 5 },
  'API killed': { everyMs: 1_000, times: 2 },
  'API killed below listen': { everyMs: 2_000, times: 2 },
  'API killed among publishes': { everyMs: 0, times: 2 },
  'API and workers killed': { everyMs: 500, times: 3 },
  // The command line notices a timer that is more than 15 s late, and sets one every 5 s.
  'machine of listen asleep': { everyMs: 0, times: 1, faultMs: 22_000 },
  'mutated answers': { everyMs: 0, times: 10 },
  'black hole before PostgreSQL': { everyMs: 0, times: 1, faultMs: 14_000 },
  'connections terminated': { everyMs: 100, times: 20 },
  'connections to PostgreSQL cut': { everyMs: 300, times: 8 },
  // Longer than a lease.
  'nodes cut off': { everyMs: 0, times: 1, faultMs: 8_000 },
  'neighbours hang': { everyMs: 200, times: 10 },
  'one account floods': { everyMs: 0, times: 5 },
  'network of listen cut': { everyMs: 1_500, times: 3, faultMs: 500 },
  'partition to PostgreSQL': { everyMs: 300, times: 2, faultMs: 1_500 },
  'partition to the queue': { everyMs: 300, times: 1, faultMs: 1_500 },
  // Longer than a lease, and shorter than workers wait for an answer; then longer than that.
  'PostgreSQL paused': { everyMs: 0, times: 2, faultMs: 10_000 },
  'PostgreSQL paused for long': { everyMs: 0, times: 1, faultMs: 20_000 },
  'PostgreSQL read-only': { everyMs: 500, times: 1, faultMs: 1_000 },
  'PostgreSQL restarted': { everyMs: 1_000, times: 2 },
  'PostgreSQL restarted among publishes': { everyMs: 0, times: 2 },
  'queue flushed': { everyMs: 300, times: 8 },
  'queue full': { everyMs: 500, times: 1, faultMs: 1_500 },
  'queue restarted empty': { everyMs: 500, times: 1, faultMs: 3_000 },
  'queue connections killed': { everyMs: 200, times: 8 },
  'receivers hang': { everyMs: 0, times: 8 },
  'recording refused': { everyMs: 500, times: 1, faultMs: 8_000 },
  'steady load': { everyMs: 250, times: 4 },
  'worker ended by an event': { everyMs: 0, times: 1 },
  'worker killed at one point': { everyMs: 0, times: 1 },
  'recovering worker killed': { everyMs: 1_000, times: 15 },
  'worker killed': { everyMs: 500, times: 4 },
  'worker stopped': { everyMs: 0, times: 3 },
} as const satisfies Record<string, Schedule>;

/** Changes for `npm test`, because each start of a process takes seconds. */
const shortSchedules: { readonly [Name in keyof typeof schedules]?: Partial<Schedule> } = {
  'PostgreSQL paused': { times: 1 },
  'recovering worker killed': { times: 4 },
  'worker killed': { times: 2 },
};

/** Changes for `npm run soak`, which also repeats faults for the time it is given. */
const soakSchedules: { readonly [Name in keyof typeof schedules]?: Partial<Schedule> } = {
  'black hole before PostgreSQL': { everyMs: 5_000, faultMs: 20_000 },
  'neighbours hang': { everyMs: 500, times: 40 },
  // Longer than PostgreSQL keeps the connections of a node that vanished.
  'nodes cut off': { everyMs: 2_000, faultMs: 75_000 },
  'partition to PostgreSQL': { everyMs: 3_000, faultMs: 15_000 },
  'partition to the queue': { everyMs: 3_000, faultMs: 15_000 },
  'PostgreSQL read-only': { everyMs: 5_000, faultMs: 5_000 },
  'PostgreSQL restarted': { everyMs: 5_000, times: 6 },
  'queue flushed': { everyMs: 2_000 },
  'queue full': { everyMs: 5_000, faultMs: 15_000 },
  'queue restarted empty': { everyMs: 5_000, faultMs: 15_000 },
  'receivers hang': { times: 40 },
  'recording refused': { everyMs: 5_000, faultMs: 60_000 },
  'steady load': { everyMs: 1_000 },
  'worker ended by an event': { times: 3 },
  'worker stopped': { times: 20 },
};

/** The time for each fault in a soak; undefined in other runs. */
const soakMs = process.env['SOAK_MS'] === undefined ? undefined : Number(process.env['SOAK_MS']);

/** A fault that is injected repeatedly. */
export class FaultInjection {
  /** The least number of injections. */
  readonly times: number;
  /** The timeout of a test with this fault. */
  readonly limitMs: number;
  readonly #forMs: number;
  readonly #everyMs: number;
  readonly #faultMs: number;
  #injected = 0;

  /** @param sharedBy the number of faults that share the time of a soak */
  constructor(name: keyof typeof schedules, sharedBy = 1) {
    this.#forMs = (soakMs ?? 0) / sharedBy;
    this.limitMs = this.#forMs + 300_000;
    const schedule: Schedule = {
      ...schedules[name],
      ...(soakMs === undefined ? !isLongRun && shortSchedules[name] : soakSchedules[name]),
    };
    this.times = schedule.times;
    this.#everyMs = schedule.everyMs;
    this.#faultMs = schedule.faultMs ?? 0;
  }

  /** The number of injections so far. */
  get injected(): number {
    return this.#injected;
  }

  /** Repeats `inject` by its schedule; passes the number of earlier injections. */
  async repeat(inject: (injected: number) => unknown): Promise<void> {
    const end = performance.now() + this.#forMs;
    while (this.#injected < this.times || performance.now() < end) {
      await pause(this.#everyMs);
      await inject(this.#injected);
      this.#injected += 1;
    }
  }

  /** Resolves when one injection has lasted for its duration. */
  holdFault(): Promise<void> {
    return pause(this.#faultMs);
  }
}
