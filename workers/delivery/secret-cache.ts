import type { Claim } from '../../src/domain/delivery/claim.js';
import { Lru } from '../../src/domain/lru.js';
import type { SealedSecret, Sealer } from '../../src/domain/sealer.js';

/**
 * Opens the secrets of claims and caches the 10,000 used last by endpoint and sealed bytes. Each claim brings
 * the secrets that sign at that moment, so a cached secret that was removed is never used.
 */
export class SecretCache {
  readonly #sealer: Sealer;
  readonly #cache = new Lru<string>(10_000);

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
    this.#cache.set(key, opened);
    return opened;
  }
}
