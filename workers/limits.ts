/**
 * Attempts in flight of one lane of one process, in all and per endpoint: a slow receiver holds its
 * own slots and nobody else's.
 */
export class Limits {
  readonly slots: number;
  readonly perEndpoint: number;
  readonly #inFlight = new Map<string, number>();
  #total = 0;
  #waiting: (() => void)[] = [];

  constructor(slots: number, perEndpoint: number) {
    this.slots = slots;
    this.perEndpoint = Math.min(perEndpoint, slots);
  }

  /** Attempts in flight, and claims that wait for a slot. */
  get total(): number {
    return this.#total;
  }

  /** Attempts that may still be started; negative while claims wait for a slot. */
  get free(): number {
    return this.slots - this.#total;
  }

  /** Attempts in flight by endpoint, of endpoints that have any. */
  get inFlight(): ReadonlyMap<string, number> {
    return this.#inFlight;
  }

  /** Holds a slot for an attempt to `endpointId`. */
  take(endpointId: string): void {
    this.#total += 1;
    this.#inFlight.set(endpointId, (this.#inFlight.get(endpointId) ?? 0) + 1);
  }

  /**
   * Gives a slot back.
   * @returns whether the endpoint had none left, so that claims may have passed it over
   */
  give(endpointId: string): boolean {
    const held = this.#inFlight.get(endpointId) ?? 0;
    if (held === 0) throw new Error(`no slot is held for ${endpointId}`);
    this.#total -= 1;
    if (held === 1) this.#inFlight.delete(endpointId);
    else this.#inFlight.set(endpointId, held - 1);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
    return held >= this.perEndpoint;
  }

  /** Resolves when a slot is free or will be among the next `ahead`, or when `signal` aborts. */
  async room(signal: AbortSignal, ahead = 0): Promise<void> {
    while (this.free + ahead <= 0 && !signal.aborted) await this.#given(signal);
  }

  /** Resolves when nothing is in flight. */
  async idle(): Promise<void> {
    while (this.#total > 0) await this.#given();
  }

  #given(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        signal?.removeEventListener('abort', done);
        resolve();
      };
      signal?.addEventListener('abort', done);
      this.#waiting.push(done);
    });
  }
}
