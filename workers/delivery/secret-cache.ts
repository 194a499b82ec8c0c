import type { Claim } from '../../src/domain/delivery/claim.js';
import type { SealedSecret, Sealer } from '../../src/domain/sealer.js';

const maxEntries = 10_000;

/**
 * Opens the secrets of claims and caches the newest 10,000 by endpoint and sealed bytes. Each claim brings
 * the secrets that sign at that moment, so a cached secret that was removed is never used.
 */
export class SecretCache {
  readonly #sealer: Sealer;
  readonly #cache = new Map<string, string>();

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /** The secrets of a claim, newest first. @throws Error when it has none, or one cannot be opened */
  of({ secrets, endpointId }: Claim): string[] {
    if (secrets.length === 0) throw new Error('the endpoint has no signing secret');
    return secrets.map((secret) => this.#open(secret, endpointId));
  }

  #open(secret: SealedSecret, endpointId: string): string {
    const key = endpointId + secret.sealed.toString('latin1');
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const opened = this.#sealer.open(secret, endpointId);
    if (this.#cache.size >= maxEntries) {
      const [oldest] = this.#cache.keys();
      if (oldest !== undefined) this.#cache.delete(oldest);
    }
    this.#cache.set(key, opened);
    return opened;
  }
}
