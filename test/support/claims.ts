import type { EndedAttempt } from '../../src/domain/delivery/attempt.js';
import type { Claim, Room } from '../../src/domain/delivery/claim.js';
import type { Outcome } from '../../src/domain/delivery/outcome.js';

/** A claim of nothing real. */
export function claimOf(chainId: string, endpointId: string): Claim {
  return {
    chainId,
    token: 1,
    accountId: 'acc_1',
    endpointId,
    url: 'https://shop.example/',
    secrets: [],
    event: { id: 'evt_1', type: 'cart.order.completed', version: 'v1', body: Buffer.from('{}') },
    attempt: 1,
    maxAttempts: 10,
    replayedFrom: null,
    test: false,
    claimedAt: new Date(0),
  };
}

/** An attempt of `claim` that was accepted, unless said otherwise. */
export function endedOf(
  claim: Claim,
  outcome: Outcome = { kind: 'accepted', status: 200 },
): EndedAttempt {
  const deliveryId = `whd_${claim.chainId}`;
  return { claim, deliveryId, startedAt: new Date(0), outcome, durationMs: 1 };
}

/** Ready chains in memory, claimed as the database does: fair, and within the room of the process. */
export class ReadyChains {
  readonly #ready = new Map<string, string[]>();
  #count = 0;
  /** What each claim was asked for. */
  readonly asked: number[] = [];
  /** How many were given back. */
  released = 0;

  /** Adds `count` ready chains of one endpoint. */
  add(endpointId: string, count: number): void {
    const chains = this.#ready.get(endpointId) ?? [];
    for (let index = 0; index < count; index += 1) chains.push(`chn_${++this.#count}`);
    this.#ready.set(endpointId, chains);
  }

  /** Chains that nobody has claimed. */
  get left(): number {
    return [...this.#ready.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Takes what there is room for. */
  claim({ slots, perEndpoint, inFlight }: Room): Claim[] {
    this.asked.push(slots);
    const claims: Claim[] = [];
    for (const [endpointId, chains] of this.#ready) {
      const room = Math.min(perEndpoint - (inFlight.get(endpointId) ?? 0), slots - claims.length);
      for (const chainId of chains.splice(0, Math.max(0, room))) {
        claims.push(claimOf(chainId, endpointId));
      }
    }
    return claims;
  }

  /** Puts claims back. */
  release(claims: readonly Claim[]): void {
    this.released += claims.length;
    for (const { endpointId, chainId } of claims) this.#ready.get(endpointId)?.push(chainId);
  }
}
