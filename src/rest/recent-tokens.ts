const keepMs = 5 * 60_000;
const most = 10_000;

/**
 * Remembers, as hashes, tokens that were valid within the last five minutes, ten thousand at most:
 * it tells who is no stranger, never whether a token is still valid.
 */
export class RecentTokens {
  /** When each was valid last, in milliseconds; the longest ago first. */
  readonly #seen = new Map<string, number>();

  /** @param now the time in milliseconds */
  constructor(private readonly now: () => number = Date.now) {}

  /** @param hash of a token, as it is stored */
  has(hash: Buffer): boolean {
    const at = this.#seen.get(keyOf(hash));
    return at !== undefined && this.now() - at < keepMs;
  }

  /** @param hash of a token that was valid just now */
  add(hash: Buffer): void {
    const key = keyOf(hash);
    this.#seen.delete(key);
    this.#seen.set(key, this.now());
    if (this.#seen.size <= most) return;
    const [longestAgo] = this.#seen.keys();
    if (longestAgo !== undefined) this.#seen.delete(longestAgo);
  }
}

function keyOf(hash: Buffer): string {
  return hash.toString('latin1');
}
