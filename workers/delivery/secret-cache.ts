import type { Claim } from '../../src/domain/delivery/claim.js';
import type { SealedSecret, Sealer } from '../../src/domain/sealer.js';

const maxEntries = 10_000;

/**
 * Opens the secrets of claims and remembers the newest 10,000 of them by their sealed bytes. A
 * claim brings the secrets that sign at that moment, so a removed one is not used however long it
 * is remembered.
 */
export class SecretCache {
  readonly #sealer: Sealer;
  readonly #cache = new Map<string, string>();

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /** Newest first. @throws Error when there is none, or one cannot be opened */
  of({ secrets, endpointId }: Claim): string[] {
    if (secrets.length === 0) throw new Error('the endpoint has no signing secret');
    return secrets.map((secret) => this.#open(secret, endpointId));
  }

  #open(secret: SealedSecret, endpointId: string): string {
    const key = endpointId + secret.sealed.toString('latin1');
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const cache = this.#sealer.open(secret, endpointId);
    if (this.#cache.size >= maxEntries) {
      const [oldest] = this.#cache.keys();
      if (oldest !== undefined) this.#cache.delete(oldest);
    }
    this.#cache.set(key, cache);
    return cache;
  }
}
