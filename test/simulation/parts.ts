import type { Clock } from '../../workers/clock.js';
import { type LeaseTimes, leaseTimes } from '../../workers/lease-times.js';
import { Leases } from '../../workers/leases.js';
import { UnheardClaims, type UnheardClaimsOptions } from '../../workers/unheard-claims.js';
import { MemoryStore } from './memory-store.js';
import type { MemoryOptions } from './memory-cancelling.js';

/** What the test of the simulation replaces to see that the simulation notices. */
export interface Parts {
  readonly store: (options: MemoryOptions) => MemoryStore;
  readonly times: (timeoutMs: number) => LeaseTimes;
  readonly leases: (clock: Clock) => Leases;
  readonly unheard: (options: UnheardClaimsOptions) => UnheardClaims;
  /** Whoever runs alone leaves nothing behind that the next one could take along, as in Deliveries. */
  readonly aloneWaits: boolean;
}

/** The parts as they should be. */
export const soundParts: Parts = {
  store: (options) => new MemoryStore(options),
  times: leaseTimes,
  leases: (clock) => new Leases(clock),
  unheard: (options) => new UnheardClaims(options),
  aloneWaits: true,
};

/** Sound parts but for this store. */
export function withStore(Store: new (options: MemoryOptions) => MemoryStore): Parts {
  return { ...soundParts, store: (options) => new Store(options) };
}
