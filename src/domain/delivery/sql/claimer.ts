import { randomInt } from 'node:crypto';
import type { Read } from '../../tx.js';
import type { Claim, Lane, Capacity } from '../claim.js';
import { columnsOfRanges, fewBetween, inFlightOf } from '../rules/rate-limited-endpoints.js';
import { type FewRow, claimFewBetweenStatement, claimFewStatement } from './claim-few-statement.js';
import { claimStatement } from './claim-statement.js';
import { ClaimCursors } from '../rules/claim-cursors.js';
import { FewReady } from '../rules/few-ready.js';
import { walkOf } from '../rules/walk.js';
import { type ClaimedRow, assembleClaims } from './assemble-claims.js';
import { type Orphan, deadLetterOrphans } from './dead-letter-orphans.js';

/** Returns a random token, below 2^48, for everything that one claim takes. */
export function claimToken(): number {
  return randomInt(1, 2 ** 48 - 1);
}

/**
 * Claims due pending deliveries for one process, in one statement if few are ready. Fair between
 * accounts, then between their endpoints. Each call continues where the last one stopped.
 */
export class Claimer {
  readonly #lane: Lane;
  readonly #leaseMs: number;
  readonly #onDeadLettered: (pendingDeliveryIds: readonly string[]) => void;
  readonly #onDeadLetterFailed: (error: unknown, orphans: readonly Orphan[]) => void;
  readonly #cursors = new ClaimCursors();
  readonly #fewReady = new FewReady();

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
    if (capacity.slots < 1) return [];
    const inFlight = JSON.stringify(Object.fromEntries(inFlightOf(capacity)));
    const rows =
      (await this.#claimFew(read, capacity, inFlight, token)) ??
      (await this.#walk(read, capacity, inFlight, token));
    const { claims, orphans } = assembleClaims(rows);
    this.#cursors.advance(capacity, claims);
    if (orphans.length > 0) await this.#deadLetter(read, orphans);
    return claims;
  }

  /** Claims all that is ready. @returns undefined if that is too much, or not to be tried */
  async #claimFew(
    read: Read,
    capacity: Capacity,
    inFlight: string,
    token: number,
  ): Promise<ClaimedRow[] | undefined> {
    const ranges = fewBetween(capacity.rateLimited ?? []);
    const limits = ranges && this.#fewReady.limits(capacity);
    if (!limits) return undefined;
    const values = [
      this.#lane,
      limits.most,
      token,
      capacity.perEndpoint,
      inFlight,
      ...limits.events,
      this.#leaseMs,
    ];
    const rows = await (ranges.length === 0
      ? read.sql<FewRow>(claimFewStatement, values)
      : read.sql<FewRow>(claimFewBetweenStatement, [...values, ...columnsOfRanges(ranges)]));
    const [{ more, nowMs } = { more: true, nowMs: 0 }] = rows;
    this.#fewReady.tried(more, nowMs);
    return more ? undefined : rows.filter((row) => row.pendingDeliveryId !== null);
  }

  #walk(read: Read, capacity: Capacity, inFlight: string, token: number): Promise<ClaimedRow[]> {
    const {
      slots,
      perEndpoint,
      perAccount = slots,
      fast = [],
      full = [],
      rateLimited = [],
    } = capacity;
    // Slots of claims that wait for their send times are no reason to skip an endpoint.
    const limited = new Set(rateLimited.map(({ endpointId }) => endpointId));
    const passed = [...fast, ...full.filter(({ endpointId }) => !limited.has(endpointId))];
    const cursors = this.#cursors;
    return read.sql<ClaimedRow>(claimStatement, [
      this.#lane,
      cursors.cursor,
      slots,
      perEndpoint,
      inFlight,
      token,
      this.#leaseMs,
      perAccount,
      JSON.stringify(walkOf(cursors.accountCapacities(capacity), perAccount, passed)),
      fast.map(({ accountId }) => accountId),
      fast.map(({ endpointId }) => endpointId),
      cursors.fastFirst,
    ]);
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
