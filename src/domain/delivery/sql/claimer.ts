import { randomInt } from 'node:crypto';
import type { Read } from '../../tx.js';
import type { Claim, Lane, Capacity } from '../claim.js';
import { claimStatement } from './claim-statement.js';
import { ClaimCursors } from '../rules/claim-cursors.js';
import { type ClaimedRow, assembleClaims } from './assemble-claims.js';
import { type Orphan, deadLetterOrphans } from './dead-letter-orphans.js';

/** Returns a random token, below 2^48, for everything that one claim takes. */
export function claimToken(): number {
  return randomInt(1, 2 ** 48 - 1);
}

/**
 * Claims due pending deliveries for one process, in one statement and one round trip. Fair between
 * accounts, then between their endpoints. Each call continues where the last one stopped.
 */
export class Claimer {
  readonly #lane: Lane;
  readonly #leaseMs: number;
  readonly #onDeadLettered: (pendingDeliveryIds: readonly string[]) => void;
  readonly #onDeadLetterFailed: (error: unknown, orphans: readonly Orphan[]) => void;
  readonly #cursors = new ClaimCursors();

  /**
   * @param leaseMs how long a claim lasts, in milliseconds; longer than an attempt and its
   *   recording take
   * @param onDeadLettered called with pending deliveries that were dead-lettered because their
   *   events are past retention
   * @param onDeadLetterFailed called with those that could not be dead-lettered, which may stay
   *   claimed until the lease ends. Defaults to failing the whole claim.
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
   * Claims as much as `capacity` allows; empty when nothing of that is ready.
   * @param token used by no other claim; with it the caller can release a claim whose answer was
   *   lost
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

  /**
   * Reports a failure instead of throwing it, which would lose the claims that came with the
   * orphans.
   */
  #deadLetter(read: Read, orphans: readonly Orphan[]): Promise<void> {
    return deadLetterOrphans(read, orphans).then(this.#onDeadLettered, (error: unknown) =>
      this.#onDeadLetterFailed(error, orphans),
    );
  }
}
