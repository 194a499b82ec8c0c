import { setTimeout as pause } from 'node:timers/promises';

/** How misfortunes strike: the pause before each blow, how many, and how long one lasts. */
interface Schedule {
  readonly everyMs: number;
  readonly times: number;
  readonly faultMs?: number;
}

/** What `npm test` has of each. */
const schedules = {
  'API killed': { everyMs: 1_000, times: 2 },
  'API and workers killed': { everyMs: 500, times: 3 },
  'mutated answers': { everyMs: 0, times: 10 },
  'black hole before PostgreSQL': { everyMs: 0, times: 1, faultMs: 14_000 },
  'connections terminated': { everyMs: 100, times: 20 },
  'connections to PostgreSQL cut': { everyMs: 300, times: 8 },
  'neighbours hang': { everyMs: 200, times: 10 },
  'partition to PostgreSQL': { everyMs: 300, times: 2, faultMs: 1_500 },
  'partition to the queue': { everyMs: 300, times: 1, faultMs: 1_500 },
  'PostgreSQL read-only': { everyMs: 500, times: 1, faultMs: 1_000 },
  'PostgreSQL restarted': { everyMs: 1_000, times: 2 },
  'queue flushed': { everyMs: 300, times: 8 },
  'queue full': { everyMs: 500, times: 1, faultMs: 1_500 },
  'queue restarted empty': { everyMs: 500, times: 1, faultMs: 3_000 },
  'queue connections killed': { everyMs: 200, times: 8 },
  'receivers hang': { everyMs: 0, times: 8 },
  'recording refused': { everyMs: 500, times: 1, faultMs: 8_000 },
  'steady load': { everyMs: 250, times: 4 },
  'worker ended by an event': { everyMs: 0, times: 1 },
  'worker killed at one point': { everyMs: 0, times: 1 },
  'worker killed': { everyMs: 500, times: 4 },
  'worker stopped': { everyMs: 0, times: 3 },
} as const satisfies Record<string, Schedule>;

/** What is different in a soak, which goes on for as long as it is told besides. */
const soakSchedules: { readonly [Name in keyof typeof schedules]?: Partial<Schedule> } = {
  'black hole before PostgreSQL': { everyMs: 5_000, faultMs: 20_000 },
  'neighbours hang': { everyMs: 500, times: 40 },
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

/** Milliseconds that one misfortune goes on in a soak; undefined in `npm test`. */
const soakMs = process.env['SOAK_MS'] === undefined ? undefined : Number(process.env['SOAK_MS']);

/** A misfortune that strikes again and again. */
export class FaultInjection {
  /** How often it strikes at least. */
  readonly times: number;
  /** Milliseconds that a test with it may take. */
  readonly limitMs: number;
  readonly #forMs: number;
  readonly #everyMs: number;
  readonly #faultMs: number;
  #injected = 0;

  /** @param sharedBy how many there are that share the time of a soak */
  constructor(name: keyof typeof schedules, sharedBy = 1) {
    this.#forMs = (soakMs ?? 0) / sharedBy;
    this.limitMs = this.#forMs + 300_000;
    const schedule: Schedule = {
      ...schedules[name],
      ...(soakMs !== undefined && soakSchedules[name]),
    };
    this.times = schedule.times;
    this.#everyMs = schedule.everyMs;
    this.#faultMs = schedule.faultMs ?? 0;
  }

  /** How often it has struck so far. */
  get injected(): number {
    return this.#injected;
  }

  /** Strikes at its pace, often and long enough; `blow` is told how often it had struck before. */
  async repeat(inject: (injected: number) => unknown): Promise<void> {
    const end = performance.now() + this.#forMs;
    while (this.#injected < this.times || performance.now() < end) {
      await pause(this.#everyMs);
      await inject(this.#injected);
      this.#injected += 1;
    }
  }

  /** Resolves when one blow has lasted long enough. */
  holdFault(): Promise<void> {
    return pause(this.#faultMs);
  }
}
