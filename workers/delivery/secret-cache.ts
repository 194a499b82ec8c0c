import type { Claim } from '../../src/domain/delivery/claim.js';
import { Lru } from '../../src/domain/lru.js';
import { CannotOpen, type SealedSecret, type Sealer } from '../../src/domain/sealer.js';

/** Why a secret does not open. Without the error, whose stack would fill the cache. */
interface Closed {
  readonly reason: string;
}

/** No secret of an endpoint opens, so nothing can be signed for it. */
export class NoSecretOpens extends Error {
  override readonly name = 'NoSecretOpens';
}

export interface SecretCacheOptions {
  readonly sealer: Pick<Sealer, 'tryOpen'>;
  /** Called with the reason at each attempt that lacks a secret. */
  readonly onMissing: (claim: Claim, reason: string) => void;
}

/**
 * Opens the secrets of claims and caches the 10,000 used last by endpoint and sealed bytes. Each claim brings
 * the secrets that sign at that moment, so a cached secret that was removed is never used.
 */
export class SecretCache {
  readonly #options: SecretCacheOptions;
  /** Those that cannot be opened, too: the key ring stays as it is while the process runs. */
  readonly #cache = new Lru<string | Closed>(10_000);

  constructor(options: SecretCacheOptions) {
    this.#options = options;
  }

  /** The secrets of a claim that open, newest first. @throws NoSecretOpens */
  of(claim: Claim): string[] {
    const { onMissing } = this.#options;
    const opened: string[] = [];
    for (const secret of claim.secrets) {
      const found = this.#open(secret, claim.endpointId);
      if (typeof found === 'string') opened.push(found);
      else
        onMissing(claim, `cannot open the signing secret of ${claim.endpointId}: ${found.reason}`);
    }
    if (opened.length > 0) return opened;

    if (claim.secrets.length === 0) onMissing(claim, `${claim.endpointId} has no signing secret`);
    throw new NoSecretOpens(`no signing secret of ${claim.endpointId} opens`);
  }

  #open(secret: SealedSecret, endpointId: string): string | Closed {
    const key = endpointId + secret.sealed.toString('latin1');
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const opened = this.#options.sealer.tryOpen(secret, endpointId);
    const found = opened instanceof CannotOpen ? { reason: opened.message } : opened;
    this.#cache.set(key, found);
    return found;
  }
}
