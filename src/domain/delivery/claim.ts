// What a claim is, and what a process has room for when it claims. claim-deliveries.ts claims.
import type { SealedSecret } from '../values/sealer.js';

/** The event whose bytes an attempt sends. The claims of one call for the same event share it. */
export interface ClaimedEvent {
  readonly id: string;
  readonly type: string;
  readonly version: string;
  readonly body: Buffer;
  /** The trace that published it. */
  readonly traceparent?: string;
  /** Whether requests carry `traceparent`. */
  readonly sendsTraceparent?: boolean;
}

/** The right to make one attempt, until its lease ends, with everything the attempt needs. */
export interface Claim {
  readonly pendingDeliveryId: string;
  /** Fences the result: nothing is recorded if another process has claimed the pending delivery since. */
  readonly token: number;
  /** Where PostgreSQL keeps the claimed row, until something moves it. Spares a search in the index. */
  readonly ctid: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly url: string;
  /** The rate limit of the endpoint when it was claimed; null for none. */
  readonly maxPerSecond: number | null;
  /** The retry schedule that the endpoint has chosen; null for the default one. */
  readonly retrySchedule: string | null;
  /** The secrets that sign, newest first, sealed for the endpoint's id. */
  readonly secrets: readonly SealedSecret[];
  /** Its private keys that sign, newest first, sealed likewise; empty for most endpoints. */
  readonly privateKeys: readonly SealedSecret[];
  /** Its static headers, sealed likewise; null for none. */
  readonly headers: SealedSecret | null;
  readonly event: ClaimedEvent;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly replayedFrom: string | null;
  readonly test: boolean;
  /** The subject whose deliveries the endpoint gets one at a time, see subject-order.ts; null without order. */
  readonly subjectKey: string | null;
  /** By the database's clock. A monotonic clock dates attempts from here. */
  readonly claimedAt: Date;
}

/**
 * Which pending deliveries a claim takes:
 * - `replay`: first attempts of replays;
 * - `recovery`: first attempts of recovered events;
 * - `isolated`: those whose claims have ended without a result several times in a row;
 * - `live`: all others.
 */
export type Lane = (typeof lanes)[number];
export const lanes = ['live', 'replay', 'recovery', 'isolated'] as const;

/** How many claims a process has room for. */
export interface Capacity {
  /** Claims, at most. */
  readonly slots: number;
  /** Claims per endpoint, at most, less its `usedSlots`. */
  readonly perEndpoint: number;
  /**
   * Used slots by endpoint, relative to `perEndpoint`; negative where the limit of an endpoint is higher by more than
   * it uses. 0 for endpoints that are not in it.
   */
  readonly usedSlots: ReadonlyMap<string, number>;
  /** Claims per account, at most, for accounts not in `accounts`. Defaults to `slots`. */
  readonly perAccount?: number;
  /** Claims of these accounts, at most; 0 for one that uses all its slots. Defaults to no account. */
  readonly accounts?: ReadonlyMap<string, number>;
  /** Endpoints with a rate limit that the process knows. Defaults to none. */
  readonly rateLimited?: readonly RateLimitedEndpoint[];
  /** Endpoints whose claims do not count towards the limits of their accounts. Defaults to none. */
  readonly fastEndpoints?: readonly AccountEndpoint[];
  /** Endpoints without a free slot, which a claim need not look at. Defaults to none. */
  readonly fullEndpoints?: readonly AccountEndpoint[];
}

/** An endpoint with a rate limit. */
export interface RateLimitedEndpoint {
  readonly accountId: string;
  readonly endpointId: string;
  /** Claims that wait in the process for their send times. */
  readonly waiting: number;
  /** Attempts of the process that have started. */
  readonly running: number;
  /** How many more claims may wait; 0 while all send times near enough are reserved. */
  readonly room: number;
  /** Whether the last claim took as many of the endpoint as it had room for. */
  readonly backlogged: boolean;
}

/** An endpoint, and the account that has it. */
export interface AccountEndpoint {
  readonly accountId: string;
  readonly endpointId: string;
}

/** Settings of the connections that claim and record. */
export const engineServerSettings: Readonly<Record<string, string>> = {
  // A plan made while the tables are empty sorts and scans, and PostgreSQL keeps it: 1,000 ms
  // instead of 8 ms (ADR 0007).
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_sort: 'off',
  // enable_sort does not cover incremental sorts. With one, a claim reads all pending deliveries of
  // each endpoint.
  enable_incremental_sort: 'off',
};
