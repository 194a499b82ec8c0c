import { setTimeout as pause } from 'node:timers/promises';

/** How misfortunes strike: the pause before each blow, how many, and how long one lasts. */
interface Numbers {
  readonly everyMs: number;
  readonly times: number;
  readonly lastsMs?: number;
}

/** What `npm test` has of each. */
const misfortunes = {
  'API killed': { everyMs: 1_000, times: 2 },
  'API and workers killed': { everyMs: 500, times: 3 },
  'mutated answers': { everyMs: 0, times: 10 },
  'black hole before PostgreSQL': { everyMs: 0, times: 1, lastsMs: 14_000 },
  'connections terminated': { everyMs: 100, times: 20 },
  'connections to PostgreSQL cut': { everyMs: 300, times: 8 },
  'neighbours hang': { everyMs: 200, times: 10 },
  'partition to PostgreSQL': { everyMs: 300, times: 2, lastsMs: 1_500 },
  'partition to the queue': { everyMs: 300, times: 1, lastsMs: 1_500 },
  'PostgreSQL read-only': { everyMs: 500, times: 1, lastsMs: 1_000 },
  'PostgreSQL restarted': { everyMs: 1_000, times: 2 },
  'queue flushed': { everyMs: 300, times: 8 },
  'queue full': { everyMs: 500, times: 1, lastsMs: 1_500 },
  'queue restarted empty': { everyMs: 500, times: 1, lastsMs: 3_000 },
  'queue connections killed': { everyMs: 200, times: 8 },
  'receivers hang': { everyMs: 0, times: 8 },
  'recording refused': { everyMs: 500, times: 1, lastsMs: 8_000 },
  'steady load': { everyMs: 250, times: 4 },
  'worker ended by an event': { everyMs: 0, times: 1 },
  'worker killed at one point': { everyMs: 0, times: 1 },
  'worker killed': { everyMs: 500, times: 4 },
  'worker stopped': { everyMs: 0, times: 3 },
} as const satisfies Record<string, Numbers>;

/** What is different in a soak, which goes on for as long as it is told besides. */
const soaked: { readonly [Name in keyof typeof misfortunes]?: Partial<Numbers> } = {
  'black hole before PostgreSQL': { everyMs: 5_000, lastsMs: 20_000 },
  'neighbours hang': { everyMs: 500, times: 40 },
  'partition to PostgreSQL': { everyMs: 3_000, lastsMs: 15_000 },
  'partition to the queue': { everyMs: 3_000, lastsMs: 15_000 },
  'PostgreSQL read-only': { everyMs: 5_000, lastsMs: 5_000 },
  'PostgreSQL restarted': { everyMs: 5_000, times: 6 },
  'queue flushed': { everyMs: 2_000 },
  'queue full': { everyMs: 5_000, lastsMs: 15_000 },
  'queue restarted empty': { everyMs: 5_000, lastsMs: 15_000 },
  'receivers hang': { times: 40 },
  'recording refused': { everyMs: 5_000, lastsMs: 60_000 },
  'steady load': { everyMs: 1_000 },
  'worker ended by an event': { times: 3 },
  'worker stopped': { times: 20 },
};

/** Milliseconds that one misfortune goes on in a soak; undefined in `npm test`. */
const soakMs = process.env['SOAK_MS'] === undefined ? undefined : Number(process.env['SOAK_MS']);

/** A misfortune that strikes again and again. */
export class Ordeal {
  /** How often it strikes at least. */
  readonly times: number;
  /** Milliseconds that a test with it may take. */
  readonly limitMs: number;
  readonly #forMs: number;
  readonly #everyMs: number;
  readonly #lastsMs: number;
  #struck = 0;

  /** @param sharers how many there are that share the time of a soak */
  constructor(name: keyof typeof misfortunes, sharers = 1) {
    this.#forMs = (soakMs ?? 0) / sharers;
    this.limitMs = this.#forMs + 300_000;
    const numbers: Numbers = { ...misfortunes[name], ...(soakMs !== undefined && soaked[name]) };
    this.times = numbers.times;
    this.#everyMs = numbers.everyMs;
    this.#lastsMs = numbers.lastsMs ?? 0;
  }

  /** How often it has struck so far. */
  get struck(): number {
    return this.#struck;
  }

  /** Strikes at its pace, often and long enough; `blow` is told how often it had struck before. */
  async strike(blow: (struck: number) => unknown): Promise<void> {
    const end = performance.now() + this.#forMs;
    while (this.#struck < this.times || performance.now() < end) {
      await pause(this.#everyMs);
      await blow(this.#struck);
      this.#struck += 1;
    }
  }

  /** Resolves when one blow has lasted long enough. */
  last(): Promise<void> {
    return pause(this.#lastsMs);
  }
}
