import type { EndedAttempt, SentClaim } from '../../src/domain/delivery/attempt.js';
import type { SweptCancellations } from '../../src/domain/delivery/cancel-sweep.js';
import type { Claim, Lane, Room } from '../../src/domain/delivery/claim.js';
import type { ClaimTurns } from '../../src/domain/delivery/claim-turns.js';
import { interruptionsBeforeAlone, type Promoted } from '../../src/domain/delivery/promote.js';
import type { ReleasedClaim } from '../../src/domain/delivery/release-unheard.js';
import type { SettleResult } from '../../src/domain/delivery/settle.js';
import {
  healthChange,
  type HealthChange,
  type SettledEndpoint,
  settlementOf,
  takes,
} from '../../src/domain/delivery/settlement.js';
import { MemoryTables } from './memory-tables.js';
import {
  type ChainRow,
  deliveryOf,
  type DeliveryRow,
  type EndpointRow,
  takesChain,
} from './rows.js';

const nothingDue: Promoted = {
  ...{ live: 0, replays: 0, alone: 0, interrupted: 0 },
  ...{ parked: [], full: false },
};
/**
 * The tables of the delivery engine in memory: each method keeps the promise of the statement or
 * transaction of the same name, whole or not at all, and decides with the service's own functions.
 * `test/integration/domain/delivery/chain-states.test.ts` holds it against PostgreSQL.
 */
export class MemoryStore extends MemoryTables {
  claim(lane: Lane, turns: ClaimTurns, room: Room, leaseMs: number, token: number): Claim[] {
    const ready = this.where((chain) => this.isFree(chain) && chain.lane === lane);
    const accountOf = ({ endpointId }: ChainRow) => this.endpoint(endpointId).accountId;
    const pick = (endpointId: string) => {
      const endpoint = this.endpoint(endpointId);
      return ready
        .filter((each) => each.endpointId === endpointId && this.mayClaim(endpoint, each))
        .sort((one, other) => one.dueAt - other.dueAt)
        .slice(0, this.roomAt(endpointId, room));
    };
    const rooms = turns.roomsOf(room);
    const listed = (room.prompt ?? []).map(({ endpointId }) => endpointId);
    const walked = onceAround(ready.map(accountOf), turns.cursor).flatMap((account) => {
      const [most, after] = rooms.get(account) ?? [room.perAccount ?? room.slots, ''];
      const own = ready.filter((chain) => accountOf(chain) === account);
      const endpoints = onceAround(
        own.map(({ endpointId }) => endpointId),
        after,
      );
      const others = endpoints.filter((id) => !listed.includes(id));
      return others.flatMap(pick).slice(0, most);
    });
    const prompt = listed.flatMap(pick);
    const found = turns.promptFirst ? [...prompt, ...walked] : [...walked, ...prompt];
    const picked = found.slice(0, room.slots);
    const now = this.options.now();
    if (picked.length > 0) this.leases.set(token, now + leaseMs);
    const claims = picked.map((chain) => {
      chain.leaseToken = token;
      return this.#claimOf(chain, token, now);
    });
    turns.took(room, claims);
    return claims;
  }

  settle(ended: readonly EndedAttempt[]): SettleResult {
    const { policy, random } = this.options;
    const kept = ended.filter(({ claim }) => this.holds(this.chains.get(claim.chainId), claim));
    const changes = [...new Set(kept.map(({ claim }) => claim.endpointId))].flatMap((id) => {
      const own = kept.filter(({ claim }) => claim.endpointId === id);
      return this.healthAfter(id, own) ?? [];
    });
    const disabled = changes.flatMap(({ endpointId, disable }) => (disable ? endpointId : []));
    const settled = kept.map((each) => {
      const { endpointId } = each.claim;
      const taken = !disabled.includes(endpointId) && takes(this.#settled(endpointId), each);
      return this.decide(each, taken, policy, random);
    });
    for (const { ended: each, status, dueAt } of settled) this.#record(each, status, dueAt);
    for (const change of changes) this.applyHealth(change);
    if (disabled.length > 0) this.cancelChains(disabled);
    return { settled, disabled };
  }

  release(claims: readonly Claim[]): void {
    for (const claim of claims) {
      const chain = this.chains.get(claim.chainId);
      if (chain?.leaseToken !== claim.token) continue;
      chain.leaseToken = null;
    }
  }

  /** Gives a claim back whose attempt could not be made; due again when its lease would have ended. */
  defer({ chainId, token }: Claim): void {
    const chain = this.chains.get(chainId);
    if (chain?.leaseToken !== token) return;
    const dueAt = this.leases.get(token) ?? this.options.now();
    Object.assign(chain, { ready: false, leaseToken: null, dueAt });
  }

  promote(endLeases = true): Promoted {
    const waiting = this.where((chain) => this.isDue(chain));
    for (const chain of waiting) chain.ready = true;
    const ended = [...this.leases.keys()].filter((token) => endLeases && this.hasEnded(token));
    if (waiting.length === 0 && ended.length === 0) return nothingDue;
    const lost = this.where(({ leaseToken }) => leaseToken !== null && ended.includes(leaseToken));
    for (const chain of lost) this.#interrupt(chain);
    for (const token of ended) this.leases.delete(token);
    const due = [...waiting, ...lost];
    const inLane = (wanted: Lane) =>
      due.filter(({ lane, ready }) => ready && lane === wanted).length;
    return {
      ...{ live: inLane('live'), replays: inLane('replay'), alone: inLane('alone') },
      interrupted: lost.length,
      parked: lost.filter(({ parked }) => parked).map(({ id }) => id),
      full: false,
    };
  }

  releaseUnheard(tokens: readonly number[]): ReleasedClaim[] {
    return tokens.flatMap((token) => {
      if (!this.leases.delete(token)) return [];
      const held = this.where(({ leaseToken }) => leaseToken === token);
      for (const chain of held) chain.leaseToken = null;
      return { token, chains: held.length };
    });
  }

  /** @returns the tokens of leases that had not been ended */
  extendLeases(tokens: readonly number[], leaseMs: number): number[] {
    const extended = tokens.filter((token) => this.leases.has(token));
    for (const token of extended) this.leases.set(token, this.options.now() + leaseMs);
    return extended;
  }

  forgetLeases(tokens: readonly number[]): void {
    for (const token of tokens) this.leases.delete(token);
  }

  /** Whether a chain is ready that is to run alone. */
  aloneAsked(): boolean {
    const ready = this.where((chain) => this.isFree(chain) && chain.lane === 'alone');
    return ready.some((chain) => this.mayClaim(this.endpoint(chain.endpointId), chain));
  }

  /** Lets a parked chain be claimed again, unless it is a replay and another one runs. */
  releaseParked(chainId: string): 'released' | 'delivery_in_progress' {
    const chain = this.chains.get(chainId);
    if (!chain?.parked) throw new Error(`${chainId} is not parked`);
    if (isReplay(chain) && this.where((other) => isBeside(chain, other)).length > 0) {
      return 'delivery_in_progress';
    }
    const dueAt = this.options.now();
    Object.assign(chain, { parked: false, ready: true, dueAt });
    chain.interruptions = interruptionsBeforeAlone;
    return 'released';
  }

  sweepCancelled(after: string): SweptCancellations {
    const doomed = this.where((chain) => {
      const endpoint = this.endpoint(chain.endpointId);
      const dead = !endpoint.active || endpoint.deleted;
      const isNext = after === '' || chain.endpointId < after;
      const isFound = isNext && (dead || chain.ready);
      return isFound && this.mayCancel(chain) && !takesChain(endpoint, chain);
    });
    return { cancelled: this.end(doomed), next: '' };
  }

  /** Whether a claim may still settle its chain. */
  protected holds(chain: ChainRow | undefined, { token }: SentClaim): boolean {
    return chain?.leaseToken === token;
  }

  /** Whether a chain that waits becomes ready. */
  protected isDue({ ready, parked, dueAt }: ChainRow): boolean {
    return !ready && !parked && dueAt <= this.options.now();
  }

  /** Whether nobody sends what is ready. */
  protected isFree({ ready, leaseToken }: ChainRow): boolean {
    return ready && leaseToken === null;
  }

  /** Whether the claims under this token are lost. */
  protected hasEnded(token: number): boolean {
    return (this.leases.get(token) ?? Infinity) <= this.options.now();
  }

  /** Whether a ready chain may be sent. */
  protected mayClaim(endpoint: EndpointRow, chain: ChainRow): boolean {
    return endpoint.cancellingSince === null && takesChain(endpoint, chain);
  }

  /** How many attempts a process may begin at an endpoint. */
  protected roomAt(endpointId: string, { perEndpoint, inFlight }: Room): number {
    return Math.max(0, perEndpoint - (inFlight.get(endpointId) ?? 0));
  }

  /** Decides what an attempt's record says and when its chain is due again. */
  protected readonly decide: typeof settlementOf = settlementOf;

  /** What an endpoint's attempts say about it. */
  protected healthAfter(
    endpointId: string,
    attempts: readonly EndedAttempt[],
  ): HealthChange | undefined {
    const { policy } = this.options;
    const seen = this.#settled(endpointId);
    // Only endpoints that seem to change are locked, and looked at again with their url.
    const locked = { ...seen, url: this.endpoint(endpointId).url };
    return healthChange(seen, attempts, policy) && healthChange(locked, attempts, policy);
  }

  /** Writes a verdict; one that disables owes a notice. */
  protected applyHealth({ endpointId, health, disable }: HealthChange): void {
    const endpoint = this.endpoint(endpointId);
    endpoint.failingSince = health.failingSince?.getTime() ?? null;
    endpoint.failureCount = health.failureCount;
    if (disable === undefined) return;
    Object.assign(endpoint, { active: false, disabledReason: disable });
    this.touch(endpoint);
    this.notices.push(endpointId);
  }

  /** Its claim ended without a result. */
  #interrupt(chain: ChainRow): void {
    chain.interruptions += 1;
    chain.leaseToken = null;
    if (chain.interruptions >= interruptionsBeforeAlone) chain.lane = 'alone';
    if (chain.interruptions < 2 * interruptionsBeforeAlone) return;
    Object.assign(chain, { parked: true, ready: false, dueAt: this.options.now() });
  }

  #claimOf(chain: ChainRow, token: number, now: number): Claim {
    const { id: chainId, endpointId, eventId, attempt, maxAttempts, replayedFrom, test } = chain;
    const { accountId, url, secrets } = this.endpoint(endpointId);
    const event = this.events.get(eventId);
    if (!event) throw new Error(`no event ${eventId}`);
    return {
      chainId,
      token,
      accountId,
      endpointId,
      url,
      secrets: secrets.filter(({ endsAt }) => endsAt > now),
      event,
      attempt,
      maxAttempts,
      replayedFrom,
      test,
      claimedAt: new Date(now),
    };
  }

  #record(
    { claim, deliveryId }: EndedAttempt,
    status: DeliveryRow['status'],
    dueAt: Date | null,
  ): void {
    const { chainId } = claim;
    this.deliveries.set(deliveryId, deliveryOf(claim, deliveryId, status));
    const chain = this.chains.get(chainId);
    if (!dueAt || !chain) {
      this.chains.delete(chainId);
      return;
    }
    chain.attempt += 1;
    chain.lane = 'live';
    chain.ready = false;
    chain.leaseToken = null;
    chain.interruptions = 0;
    chain.dueAt = dueAt.getTime();
    chain.lastDeliveryId = deliveryId;
    this.wakeups.push({ kind: 'due', at: new Date(Math.ceil(dueAt.getTime() / 1_000) * 1_000) });
  }

  #settled(id: string): SettledEndpoint {
    const { active, deleted, eventTypes, failingSince, failureCount } = this.endpoint(id);
    return {
      id,
      live: active && !deleted,
      eventTypes: eventTypes.join(' '),
      failureCount,
      failingSince: failingSince === null ? null : new Date(failingSince),
    };
  }
}

/** Each of `ids` once, from the one after `after` once around. */
function onceAround(ids: readonly string[], after: string): string[] {
  const walk = [...new Set(ids)].sort();
  const next = walk.findIndex((id) => id > after);
  if (next > 0) walk.push(...walk.splice(0, next));
  return walk;
}

/** Whether somebody waits for its first attempt. */
function isReplay({ replayedFrom, attempt }: ChainRow): boolean {
  return replayedFrom !== null && attempt === 1;
}

function isBeside({ endpointId, eventId }: ChainRow, other: ChainRow): boolean {
  const same = other.endpointId === endpointId && other.eventId === eventId;
  return same && isReplay(other) && !other.parked;
}
