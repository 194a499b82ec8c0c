/**
 * The secrets that a receiver verifies with. It looks for more when a request fits none of them, so
 * that an endpoint registered later is known at its first event.
 */
export class KnownSecrets {
  #secrets: readonly string[];
  readonly #find: (() => Promise<readonly string[]>) | undefined;
  #looking: Promise<unknown> = Promise.resolve();

  /** @param find returns all secrets of now; undefined where only the given ones count */
  constructor(given: readonly string[], find?: () => Promise<readonly string[]>) {
    this.#secrets = given;
    this.#find = find;
  }

  /**
   * Verifies with the known secrets, and with those found now when it fails. One looks at a time; the
   * others then try what it found.
   * @param verify also called with the same secrets again
   */
  async verify<T extends { readonly verified: boolean }>(
    verify: (secrets: readonly string[]) => T,
  ): Promise<T> {
    const known = verify(this.#secrets);
    const find = this.#find;
    if (known.verified || !find) return known;
    const looked = this.#looking.then(async () => {
      if (!verify(this.#secrets).verified) this.#secrets = await find();
    });
    this.#looking = looked.catch(() => undefined);
    await looked;
    return verify(this.#secrets);
  }
}
