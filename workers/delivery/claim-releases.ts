/** What is claimed under a token. */
interface LeasedClaim {
  readonly token: number;
}

/** What {@link ClaimReleases} go by. */
export interface ClaimReleasesOptions {
  /** Whether what failed with this may succeed a moment later. */
  readonly mayRecover: (error: unknown) => boolean;
  /** Giving back failed and is tried again. */
  readonly onError: (error: unknown) => void;
}

/**
 * Claims that a process gives back. One that PostgreSQL does not take back now is offered again until
 * it does: left to the end of its lease, it would count as interrupted although nothing died.
 */
export class ClaimReleases {
  readonly #options: ClaimReleasesOptions;
  readonly #pending = new Map<() => Promise<void>, readonly LeasedClaim[]>();
  #retrying: Promise<void> | undefined;

  constructor(options: ClaimReleasesOptions) {
    this.#options = options;
  }

  /** Gives these back by `work`, now or by {@link retry}. @throws what cannot succeed later either */
  async add(claims: readonly LeasedClaim[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#options.mayRecover(error)) throw error;
      this.#pending.set(work, claims);
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
    for (const claims of this.#pending.values()) for (const { token } of claims) yield token;
  }

  async #retry(): Promise<void> {
    for (const [work, claims] of this.#pending) {
      try {
        await work();
      } catch (error) {
        if (this.#options.mayRecover(error)) {
          // Last next time, so that what waits for one lock holds up no other.
          this.#pending.delete(work);
          this.#pending.set(work, claims);
          throw error;
        }
        this.#options.onError(error);
      }
      this.#pending.delete(work);
    }
  }
}
