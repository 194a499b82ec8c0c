import { setTimeout as pause } from 'node:timers/promises';

/** How misfortunes strike: the pause before each blow, how many, and how long one lasts. */
interface Numbers {
  readonly everyMs: number;
  readonly times: number;
  readonly lastsMs?: number;
}

/** What `npm test` has of each. */
const misfortunes = {
  'API killed': { everyMs: 1_000, times: 3 },
  'API and workers killed': { everyMs: 700, times: 4 },
  'connections terminated': { everyMs: 100, times: 20 },
  'connections to PostgreSQL cut': { everyMs: 300, times: 8 },
  'PostgreSQL read-only': { everyMs: 500, times: 1, lastsMs: 1_000 },
  'PostgreSQL restarted': { everyMs: 1_500, times: 2 },
  'queue flushed': { everyMs: 300, times: 8 },
  'queue full': { everyMs: 500, times: 1, lastsMs: 1_500 },
  'queue restarted empty': { everyMs: 500, times: 1, lastsMs: 3_000 },
  'queue connections killed': { everyMs: 200, times: 8 },
  'receivers hang': { everyMs: 0, times: 8 },
  'steady load': { everyMs: 250, times: 8 },
  'worker killed': { everyMs: 500, times: 5 },
  'worker stopped': { everyMs: 0, times: 4 },
} as const satisfies Record<string, Numbers>;

/** What is different in a soak, besides as many times as fit into it. */
const soaked: { readonly [Name in keyof typeof misfortunes]?: Omit<Numbers, 'times'> } = {
  'PostgreSQL restarted': { everyMs: 5_000 },
  'PostgreSQL read-only': { everyMs: 5_000, lastsMs: 5_000 },
  'queue flushed': { everyMs: 2_000 },
  'queue full': { everyMs: 5_000, lastsMs: 15_000 },
  'queue restarted empty': { everyMs: 5_000, lastsMs: 15_000 },
  'worker stopped': { everyMs: 500 },
  'steady load': { everyMs: 1_000 },
};

/** Milliseconds that one misfortune goes on in a soak; undefined in `npm test`. */
const soakMs = process.env['SOAK_MS'] === undefined ? undefined : Number(process.env['SOAK_MS']);

/** A misfortune that strikes again and again, until it has struck often enough. */
export class Ordeal {
  readonly everyMs: number;
  readonly times: number;
  /** What a test with it may take. */
  readonly limitMs: number;
  /** Whether it belongs to a soak. */
  readonly isLong = soakMs !== undefined;
  #struck = 0;

  readonly #lastsMs: number;

  constructor(name: keyof typeof misfortunes) {
    const numbers: Numbers = { ...misfortunes[name], ...(soakMs !== undefined && soaked[name]) };
    this.everyMs = numbers.everyMs;
    this.#lastsMs = numbers.lastsMs ?? 0;
    const roundMs = Math.max(this.everyMs + this.#lastsMs, 100);
    this.times = Math.max(numbers.times, Math.ceil((soakMs ?? 0) / roundMs));
    this.limitMs = (soakMs ?? 0) * 3 + 120_000;
  }

  /** How often it has struck so far. */
  get struck(): number {
    return this.#struck;
  }

  /** Strikes at its pace until it has struck `times`; `blow` is told how often it had before. */
  async strike(blow: (struck: number) => unknown): Promise<void> {
    while (this.#struck < this.times) {
      await pause(this.everyMs);
      await blow(this.#struck);
      this.#struck += 1;
    }
  }

  /** Resolves when one blow has lasted long enough. */
  last(): Promise<void> {
    return pause(this.#lastsMs);
  }
}
