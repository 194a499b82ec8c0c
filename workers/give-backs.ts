/** What is claimed under a token. */
interface Held {
  readonly token: number;
}

/** What {@link GiveBacks} go by. */
export interface GiveBacksOptions {
  /** Whether what failed with this may succeed a moment later. */
  readonly mayRecover: (error: unknown) => boolean;
  /** Giving back failed and is tried again. */
  readonly onError: (error: unknown) => void;
}

/**
 * Claims that a process gives back. One that PostgreSQL does not take back now is offered again until
 * it does: left to the end of its lease, it would count as interrupted although nothing died.
 */
export class GiveBacks {
  readonly #options: GiveBacksOptions;
  readonly #owed = new Map<() => Promise<void>, readonly Held[]>();
  #retrying: Promise<void> | undefined;

  constructor(options: GiveBacksOptions) {
    this.#options = options;
  }

  /** Gives these back by `work`, now or by {@link retry}. @throws what cannot succeed later either */
  async add(claims: readonly Held[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#options.mayRecover(error)) throw error;
      this.#owed.set(work, claims);
      this.#options.onError(error);
    }
  }

  /**
   * Tries again what failed; a call during another one waits for that one, so that nothing is given back twice.
   * @throws the first failure; the rest is left for the next time
   */
  retry(): Promise<void> {
    this.#retrying ??= this.#retry().finally(() => (this.#retrying = undefined));
    return this.#retrying;
  }

  /** The tokens of what is not given back yet. */
  *tokens(): Iterable<number> {
    for (const claims of this.#owed.values()) for (const { token } of claims) yield token;
  }

  async #retry(): Promise<void> {
    for (const [work, claims] of this.#owed) {
      try {
        await work();
      } catch (error) {
        if (this.#options.mayRecover(error)) {
          // Last next time, so that what waits for one lock holds up no other.
          this.#owed.delete(work);
          this.#owed.set(work, claims);
          throw error;
        }
        this.#options.onError(error);
      }
      this.#owed.delete(work);
    }
  }
}
