import type { PromptEndpoint, Room } from '../src/domain/delivery/claim.js';
import type { RecentAttempt } from '../src/domain/delivery/recent-attempts.js';
import type { Claimed } from './account-shares.js';
import { isInTime, isLively, isPrompt, isQuiet, noteAnswer, type Share } from './share.js';

/** What an endpoint may have of the slots of a process. */
export interface EndpointLimits {
  /** Slots that all endpoints share. */
  readonly slots: number;
  /** Attempts in flight of any endpoint at most. */
  readonly most: number;
  /** Attempts at an endpoint that has answered none yet. */
  readonly first: number;
}

/** How an attempt ended: with an answer, without one, by a fault of ours, or before it began. */
export type Heard = 'answered' | 'silent' | 'fault' | 'unasked';

/** Endpoints whose share is remembered while nothing of theirs is in flight. */
const mostResting = 500;

/**
 * The slots of a process by endpoint. Each begins with few and may have one more for each answer, up to
 * the cap of all: so receivers that hang hold a few slots each. What endpoints hold beyond those few
 * shares half of the slots, except of those that answer at this moment: so many that begin to hang at
 * once leave the others room too.
 */
export class EndpointShares {
  readonly #limits: EndpointLimits;
  readonly #shares = new Map<string, Share>();
  /** Those of them with nothing in flight, the longest at rest first. */
  readonly #resting = new Set<string>();
  /** Which endpoint is the first to get of what is shared. */
  #turn = 0;

  constructor(limits: EndpointLimits) {
    this.#limits = limits;
  }

  /** Whose endpoint it is, for which a slot is held. */
  accountOf(endpointId: string): string {
    return this.#shareOf(endpointId).accountId;
  }

  /** Attempts in flight by endpoint, less what it may have beyond the first few. */
  grant(now: number): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    let spare = this.#spare(now);
    this.#turn = (this.#turn + 1) % Math.max(1, this.#shares.size);
    for (const [endpointId, share] of this.#inTurn()) {
      const most = this.#mostOf(share, now);
      const sure = isLively(share, now) ? most : Math.max(share.held, this.#limits.first);
      share.granted = Math.min(most, sure + spare);
      spare -= Math.max(0, share.granted - sure);
      counts.set(endpointId, share.held - (share.granted - this.#limits.first));
    }
    return counts;
  }

  /** Attempts in flight by account, without those of endpoints that answer promptly. */
  unproven(now: number): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const share of this.#shares.values()) {
      if (share.held === 0 || isPrompt(share, now)) continue;
      counts.set(share.accountId, (counts.get(share.accountId) ?? 0) + share.held);
    }
    return counts;
  }

  /**
   * Endpoints that answer promptly and have room, in turns: those that probably have a backlog, and of
   * accounts that have no room all.
   */
  promptOf(accounts: ReadonlyMap<string, number>, now: number): PromptEndpoint[] {
    return this.#inTurn().flatMap(([endpointId, share]) => {
      const { accountId, held, granted, filled } = share;
      if (!(filled || accounts.get(accountId) === 0)) return [];
      return held < granted && isPrompt(share, now) ? { accountId, endpointId } : [];
    });
  }

  /** Whether the last claim may have left due deliveries of an endpoint that has room by now. */
  get passedOver(): boolean {
    return [...this.#shares.values()].some((each) => each.filled && each.held < each.granted);
  }

  /** Notes of which endpoints a claim with `room` brought all that it could: there may be more. */
  claimed(claims: readonly Claimed[], room: Room): void {
    const { slots, perEndpoint, inFlight, accounts, perAccount = slots, prompt = [] } = room;
    const counts = new Map<string, number>();
    for (const { endpointId } of claims) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
    const listed = new Set(prompt.map(({ endpointId }) => endpointId));
    for (const [endpointId, share] of this.#shares) {
      const count = counts.get(endpointId) ?? 0;
      const hadRoom = listed.has(endpointId) || (accounts?.get(share.accountId) ?? perAccount) > 0;
      if (count === 0 && (claims.length >= slots || !hadRoom)) continue;
      share.filled = count >= perEndpoint - (inFlight.get(endpointId) ?? 0);
    }
  }

  /** Holds a slot. */
  take(endpointId: string, accountId: string): void {
    const share = this.#shares.get(endpointId) ?? this.#newShare(accountId);
    this.#shares.set(endpointId, share);
    this.#resting.delete(endpointId);
    share.held += 1;
    if (share.held >= share.granted) share.filled = true;
  }

  /** Gives endpoints that have answered nothing yet what earlier attempts earned, the oldest first. */
  recall(attempts: readonly RecentAttempt[]): void {
    const earned = new Map<string, Pick<Share, 'accountId' | 'most' | 'prompt'>>();
    const { first, most } = this.#limits;
    for (const { accountId, endpointId, answered, durationMs } of attempts) {
      const before = earned.get(endpointId)?.most ?? first;
      const now = answered ? Math.min(before + 1, most) : first;
      const prompt = answered && durationMs !== null && isInTime(durationMs);
      earned.set(endpointId, { accountId, most: now, prompt });
    }
    for (const [endpointId, { accountId, most: recalled, prompt }] of earned) {
      const share = this.#shares.get(endpointId) ?? this.#newShare(accountId);
      if (share.answeredAt !== -Infinity) continue;
      [share.most, share.prompt] = [Math.max(share.most, recalled), prompt];
      this.#shares.set(endpointId, share);
      if (share.held === 0) this.#rest(endpointId, share);
    }
  }

  /** Notes that an attempt begins for which a slot is held. */
  asked(endpointId: string, now: number): void {
    const share = this.#shareOf(endpointId);
    if (share.askedAt.length === 0) share.heardAt = now;
    share.askedAt.push(now);
  }

  /**
   * Gives a slot back.
   * @returns whether the last claim may have left due deliveries of this endpoint
   */
  give(endpointId: string, heard: Heard, now: number, askedAt?: number): boolean {
    const share = this.#shareOf(endpointId);
    const most = this.#mostOf(share, now);
    const wasFull = share.held >= Math.min(most, share.granted);
    if (heard !== 'unasked') {
      const place = askedAt === undefined ? 0 : share.askedAt.indexOf(askedAt);
      const [begun = now] = share.askedAt.splice(place, 1);
      if (heard === 'answered') {
        share.most = Math.min(most + 1, this.#limits.most);
        noteAnswer(share, begun, now);
      } else if (heard === 'silent') [share.most, share.prompt] = [this.#limits.first, false];
    }
    share.held -= 1;
    if (share.held === 0) this.#rest(endpointId, share);
    return share.filled || wasFull;
  }

  /** All shares, from the one whose turn it is once around. */
  #inTurn(): [string, Share][] {
    const shares = [...this.#shares];
    shares.push(...shares.splice(0, this.#turn));
    return shares;
  }

  #shareOf(endpointId: string): Share {
    const share = this.#shares.get(endpointId);
    if (!share || share.held === 0) throw new Error(`no slot is held for ${endpointId}`);
    return share;
  }

  #newShare(accountId: string): Share {
    const first = this.#limits.first;
    const never = { heardAt: 0, answeredAt: -Infinity, filled: false, prompt: false };
    return { accountId, held: 0, askedAt: [], most: first, granted: first, ...never };
  }

  /** Slots that endpoints may have beyond the first few, as long as they do not answer. */
  #spare(now: number): number {
    let spare = Math.floor(this.#limits.slots / 2);
    for (const share of this.#shares.values()) {
      if (!isLively(share, now)) spare -= Math.max(0, share.held - this.#limits.first);
    }
    return Math.max(0, spare);
  }

  #mostOf(share: Share, now: number): number {
    return isQuiet(share, now) ? this.#limits.first : share.most;
  }

  #rest(endpointId: string, share: Share): void {
    if (share.most === this.#limits.first && !share.prompt) {
      this.#shares.delete(endpointId);
      return;
    }
    this.#resting.add(endpointId);
    if (this.#resting.size <= mostResting) return;
    const [longest = ''] = this.#resting;
    this.#resting.delete(longest);
    this.#shares.delete(longest);
  }
}
