import { randomInt } from 'node:crypto';
import type { Read } from '../../tx.js';
import type { Claim, Lane, Capacity } from '../claim.js';
import { claimStatement } from './claim-statement.js';
import { ClaimCursors } from '../rules/claim-cursors.js';
import { type ClaimedRow, assembleClaims } from './assemble-claims.js';
import { type Orphan, deadLetterOrphans } from './dead-letter-orphans.js';

/** Names everything that one claim takes; below 2^48. */
export function claimToken(): number {
  return randomInt(1, 2 ** 48 - 1);
}

/**
 * Claims due pending deliveries for one process: fair between accounts, then between their endpoints, at most one
 * claim per pending delivery, in one statement and one round trip. Goes on where it stopped.
 */
export class Claimer {
  readonly #lane: Lane;
  readonly #leaseMs: number;
  readonly #onDeadLettered: (pendingDeliveryIds: readonly string[]) => void;
  readonly #onDeadLetterFailed: (error: unknown, orphans: readonly Orphan[]) => void;
  readonly #cursors = new ClaimCursors();

  /**
   * @param leaseMs how long a claim lasts; more than an attempt and its settlement can take
   * @param onDeadLettered hears of pending deliveries that were dead-lettered because their events are no longer kept
   * @param onDeadLetterFailed hears of those that could not be dead-lettered, which may hold their claims until the
   *   lease ends; unless it is said the whole claim fails
   */
  constructor(
    lane: Lane,
    leaseMs: number,
    onDeadLettered: (pendingDeliveryIds: readonly string[]) => void = () => undefined,
    onDeadLetterFailed: (error: unknown, orphans: readonly Orphan[]) => void = (error) => {
      throw error;
    },
  ) {
    this.#lane = lane;
    this.#leaseMs = leaseMs;
    this.#onDeadLettered = onDeadLettered;
    this.#onDeadLetterFailed = onDeadLetterFailed;
  }

  /**
   * Claims what there is room for; empty when nothing is ready that the process has room for.
   * @param token no other claim's; whoever knows it can give back what was claimed and not heard of
   */
  async claim(read: Read, capacity: Capacity, token = claimToken()): Promise<Claim[]> {
    const { slots, perEndpoint, inFlight, perAccount = slots, fast = [] } = capacity;
    if (slots < 1) return [];
    const cursors = this.#cursors;
    const rows = await read.sql<ClaimedRow>(claimStatement, [
      this.#lane,
      cursors.cursor,
      slots,
      perEndpoint,
      JSON.stringify(Object.fromEntries(inFlight)),
      token,
      this.#leaseMs,
      perAccount,
      JSON.stringify(Object.fromEntries(cursors.accountCapacities(capacity))),
      fast.map(({ accountId }) => accountId),
      fast.map(({ endpointId }) => endpointId),
      cursors.fastFirst,
    ]);
    const { claims, orphans } = assembleClaims(rows);
    cursors.advance(capacity, claims);
    if (orphans.length > 0) await this.#deadLetter(read, orphans);
    return claims;
  }

  /** Tells that it failed, and does not throw: the claims that came with the orphans would be lost. */
  #deadLetter(read: Read, orphans: readonly Orphan[]): Promise<void> {
    return deadLetterOrphans(read, orphans).then(this.#onDeadLettered, (error: unknown) =>
      this.#onDeadLetterFailed(error, orphans),
    );
  }
}
