import { hashToken } from '../domain/account/token.js';

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

  has(token: string): boolean {
    const at = this.#seen.get(keyOf(token));
    return at !== undefined && this.now() - at < keepMs;
  }

  add(token: string): void {
    const key = keyOf(token);
    this.#seen.delete(key);
    this.#seen.set(key, this.now());
    if (this.#seen.size <= most) return;
    const [longestAgo] = this.#seen.keys();
    if (longestAgo !== undefined) this.#seen.delete(longestAgo);
  }
}

function keyOf(token: string): string {
  return hashToken(token).toString('base64');
}
