import type { Clock } from '../../workers/clock.js';
import {
  Leases,
  UnconfirmedClaims,
  type UnconfirmedClaimsOptions,
} from '../../workers/delivery/claim-manager.js';
import { type LeaseTimes, leaseTimes } from '../../workers/delivery/lease-times.js';
import { MemoryStore } from './memory-store.js';
import { type MemoryOptions } from './memory-tables.js';

/** The parts that a test replaces to check that the simulation notices bugs. */
export interface Parts {
  readonly store: (options: MemoryOptions) => MemoryStore;
  readonly times: (timeoutMs: number) => LeaseTimes;
  readonly leases: (clock: Clock) => Leases;
  readonly unconfirmed: (options: UnconfirmedClaimsOptions) => UnconfirmedClaims;
  /** Whether an isolated run waits until the one before it is recorded, as in the service. */
  readonly isolationWaits: boolean;
}

/** The parts without a bug. */
export const defaultParts: Parts = {
  store: (options) => new MemoryStore(options),
  times: leaseTimes,
  leases: (clock) => new Leases(clock),
  unconfirmed: (options) => new UnconfirmedClaims(options),
  isolationWaits: true,
};

/** The parts without a bug, except for this store. */
export function withStore(Store: new (options: MemoryOptions) => MemoryStore): Parts {
  return { ...defaultParts, store: (options) => new Store(options) };
}
