import { randomInt } from 'node:crypto';
import type { Read } from '../tx.js';
import type { Claim, Lane, Room } from './claim.js';
import { claimStatement } from './claim-statement.js';
import { ClaimTurns } from './claim-turns.js';
import { type ClaimedRow, claimsOf } from './claims-of.js';
import { type Orphan, parkOrphans } from './park-orphans.js';

/** Names everything that one claim takes; below 2^48. */
export function claimToken(): number {
  return randomInt(1, 2 ** 48 - 1);
}

/**
 * Claims due chains for one process: fair between accounts, then between their endpoints, at most one
 * claim per chain, in one statement and one round trip. Goes on where it stopped.
 */
export class Claimer {
  readonly #lane: Lane;
  readonly #leaseMs: number;
  readonly #onParked: (chainIds: readonly string[]) => void;
  readonly #onUnparked: (error: unknown, orphans: readonly Orphan[]) => void;
  readonly #turns = new ClaimTurns();

  /**
   * @param leaseMs how long a claim lasts; more than an attempt and its settlement can take
   * @param onParked hears of chains that were parked because their events are no longer kept
   * @param onUnparked hears of those that could not be parked, which may hold their claims until the
   *   lease ends; unless it is said the whole claim fails
   */
  constructor(
    lane: Lane,
    leaseMs: number,
    onParked: (chainIds: readonly string[]) => void = () => undefined,
    onUnparked: (error: unknown, orphans: readonly Orphan[]) => void = (error) => {
      throw error;
    },
  ) {
    this.#lane = lane;
    this.#leaseMs = leaseMs;
    this.#onParked = onParked;
    this.#onUnparked = onUnparked;
  }

  /**
   * Claims what there is room for; empty when nothing is ready that the process has room for.
   * @param token no other claim's; whoever knows it can give back what was claimed and not heard of
   */
  async claim(read: Read, room: Room, token = claimToken()): Promise<Claim[]> {
    const { slots, perEndpoint, inFlight, perAccount = slots, prompt = [] } = room;
    if (slots < 1) return [];
    const turns = this.#turns;
    const rows = await read.sql<ClaimedRow>(claimStatement, [
      this.#lane,
      turns.cursor,
      slots,
      perEndpoint,
      JSON.stringify(Object.fromEntries(inFlight)),
      token,
      this.#leaseMs,
      perAccount,
      JSON.stringify(Object.fromEntries(turns.roomsOf(room))),
      prompt.map(({ accountId }) => accountId),
      prompt.map(({ endpointId }) => endpointId),
      turns.promptFirst,
    ]);
    const { claims, orphans } = claimsOf(rows);
    turns.took(room, claims);
    if (orphans.length > 0) await this.#park(read, orphans);
    return claims;
  }

  /** Tells that it failed, and does not throw: the claims that came with the orphans would be lost. */
  #park(read: Read, orphans: readonly Orphan[]): Promise<void> {
    return parkOrphans(read, orphans).then(this.#onParked, (error: unknown) =>
      this.#onUnparked(error, orphans),
    );
  }
}
