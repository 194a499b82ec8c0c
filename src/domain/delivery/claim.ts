import type { SealedSecret } from '../sealer.js';

/** The event whose bytes an attempt sends; shared by all claims of one call. */
export interface ClaimedEvent {
  readonly id: string;
  readonly type: string;
  readonly version: string;
  readonly body: Buffer;
}

/** The right to make one attempt, until its lease ends; everything the attempt needs. */
export interface Claim {
  readonly pendingDeliveryId: string;
  /** Fences the settlement: a pending delivery that somebody else has claimed since does not settle. */
  readonly token: number;
  readonly accountId: string;
  readonly endpointId: string;
  readonly url: string;
  /** Those that sign, newest first, sealed for the endpoint's id (H24). */
  readonly secrets: readonly SealedSecret[];
  readonly event: ClaimedEvent;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly replayedFrom: string | null;
  readonly test: boolean;
  /** By the database's clock; attempts are dated from here with a monotonic clock. */
  readonly claimedAt: Date;
}

/**
 * Which pending deliveries are claimed: first attempts of replays (H76.8), those that processes have died with
 * again and again, or everything else.
 */
export type Lane = 'live' | 'replay' | 'isolated';

/** How much a process can take on. */
export interface Capacity {
  /** Attempts that the process can start. */
  readonly slots: number;
  /** Attempts that the process keeps in flight per endpoint, of those not named in `inFlight`. */
  readonly perEndpoint: number;
  /** Attempts in flight by endpoint; less, down to below zero, for one that may have more. */
  readonly inFlight: ReadonlyMap<string, number>;
  /** Claims of each account that is not named in `accounts`. Defaults to `slots`. */
  readonly perAccount?: number;
  /** Claims of each of these accounts; none for one that has its share. Defaults to no account. */
  readonly accounts?: ReadonlyMap<string, number>;
  /** Endpoints whose claims do not count for their accounts, and need no room there. Defaults to none. */
  readonly fast?: readonly FastEndpoint[];
}

/** An endpoint that answers promptly. */
export interface FastEndpoint {
  readonly accountId: string;
  readonly endpointId: string;
}

/** Settings of the connections that claim and settle. */
export const engineServerSettings: Readonly<Record<string, string>> = {
  // A plan made while the tables are empty sorts and scans, and it is kept: 1,000 ms instead of 8 (ADR 0007).
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_sort: 'off',
  // enable_sort leaves sorts in parts, and with one a claim reads all pending deliveries of each endpoint.
  enable_incremental_sort: 'off',
};
