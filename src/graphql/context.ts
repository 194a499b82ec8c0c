import type { Viewer } from '../domain/account/credentials.js';
import type { ReplayResult } from '../domain/delivery/replay/replay.js';
import type { Read, Tx } from '../domain/tx.js';

/**
 * What every resolver gets. Whoever runs the operation decides what `transact` means: a transaction
 * of its own on /graphql; behind /v1 the one that also stores the idempotent response.
 */
export interface Context {
  readonly viewer: Viewer;
  readonly read: Read;
  readonly transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Waits until the first attempt of a replay has ended (H76). */
  readonly waitForReplay: (pendingDeliveryId: string) => Promise<ReplayResult>;
  /**
   * Does `work` and counts it for the caller's account, where nobody has counted it before (H80). A mail
   * that was not sent is not counted.
   * @throws QuotaUsedUp
   */
  readonly rateLimited: <T>(policy: 'replay' | 'mail', work: () => Promise<T>) => Promise<T>;
  readonly transport: 'rest' | 'graphql';
}
