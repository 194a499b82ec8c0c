interface LeasedClaim {
  readonly token: number;
}

export interface ClaimReleasesOptions {
  /** Whether a release that failed with `error` may succeed when retried. */
  readonly mayRecover: (error: unknown) => boolean;
  /** Called when a release failed; it is retried if {@link mayRecover} says so. */
  readonly onError: (error: unknown) => void;
}

/**
 * Releases claims and retries until PostgreSQL accepts. A claim left to the end of its lease would count
 * as interrupted although no process died.
 */
export class ClaimReleases {
  readonly #options: ClaimReleasesOptions;
  readonly #pending = new Map<() => Promise<void>, readonly LeasedClaim[]>();
  #retrying: Promise<void> | undefined;

  constructor(options: ClaimReleasesOptions) {
    this.#options = options;
  }

  /** Releases `claims` by `work`, now or in {@link retry}. @throws an error that no retry can recover */
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
   * Retries failed releases. A call during another one joins it, so that no claim is released twice.
   * @throws the first error; the next call retries the rest
   */
  retry(): Promise<void> {
    this.#retrying ??= this.#retry().finally(() => (this.#retrying = undefined));
    return this.#retrying;
  }

  /** The tokens of claims that are not released yet. */
  *tokens(): Iterable<number> {
    for (const claims of this.#pending.values()) for (const { token } of claims) yield token;
  }

  async #retry(): Promise<void> {
    for (const [work, claims] of this.#pending) {
      try {
        await work();
      } catch (error) {
        if (this.#options.mayRecover(error)) {
          // Moved to the end, so that one locked row does not delay the others.
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
