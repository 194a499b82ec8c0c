import type { PrivateTargets } from '../values/private-targets.js';
import type { Sealer } from '../values/sealer.js';

/** When the service retries an attempt, and when it disables an endpoint that keeps failing. */
export interface RetryPolicy {
  /** Delays before attempts 2, 3, …; a pending delivery has one attempt more than delays. */
  readonly delaysMs: readonly number[];
  /** The largest random change of a delay, as a fraction of it: 0.1 means ±10 %. */
  readonly jitter: number;
  readonly disableAfterMs: number;
  readonly disableAfterFailures: number;
}

/** The first key signs. Every key verifies, so that signatures outlive a change of keys. */
export type SigningKeys = readonly [Buffer, ...Buffer[]];

/** The settings that the domain uses; one value per process. */
export interface DomainRules {
  readonly sealer: Sealer;
  readonly privateTargets: PrivateTargets;
  /** These keys sign list cursors. */
  readonly cursorKeys: SigningKeys;
  /** These keys sign URLs that need no credential. */
  readonly linkKeys: SigningKeys;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly retry: RetryPolicy;
  /** The account that gets the events about endpoints of all accounts; undefined for none. */
  readonly operatorAccount: string | undefined;
  /** At most this many endpoints per account. */
  readonly endpointsPerAccount: number;
  /** Whether members sign in at the OpenID provider only: links that are mailed or printed open nothing. */
  readonly signInByProviderOnly: boolean;
  /** Returns a number of at least 0 and below 1; only for jitter, since it need not be secure. */
  readonly random: () => number;
}

/** Why the service disabled an endpoint. */
export type DisabledReason = (typeof disabledReasons)[number];
export const disabledReasons = ['consecutive_failures', 'receiver_gone'] as const;
