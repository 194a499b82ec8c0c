import type { CursorKeys } from './cursor.js';
import type { Sealer } from './sealer.js';
import type { PrivateTargets } from './private-targets.js';

/** When attempts follow one another and when an endpoint has failed for too long (H62–H71). */
export interface RetryPolicy {
  /** Delay before attempts 2, 3, …; a pending delivery has one attempt more than delays. */
  readonly delaysMs: readonly number[];
  /** Share by which a delay is stretched or shortened, 0.1 = ±10 %. */
  readonly jitter: number;
  readonly disableAfterMs: number;
  readonly disableAfterFailures: number;
}

/** What the domain needs to know of the settings; one value per process. */
export interface DomainRules {
  readonly sealer: Sealer;
  readonly privateTargets: PrivateTargets;
  /** Sign list cursors (H34, H35). */
  readonly cursorKeys: CursorKeys;
  /** The first signs addresses that are read without a credential, each of them opens some. */
  readonly linkKeys: readonly [Buffer, ...Buffer[]];
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly retry: RetryPolicy;
  /** Endpoints that an account may have before creating another one is refused. */
  readonly endpointsPerAccount: number;
  /** At least 0, below 1; jitter only. */
  readonly random: () => number;
}
