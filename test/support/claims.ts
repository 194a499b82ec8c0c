import type { EndedAttempt } from '../../src/domain/delivery/rules/attempt.js';
import type { Claim, Capacity } from '../../src/domain/delivery/claim.js';
import type { Outcome } from '../../src/domain/delivery/rules/outcome.js';

/** A claim of nothing real. */
export function claimOf(pendingDeliveryId: string, endpointId: string): Claim {
  return {
    pendingDeliveryId,
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
  const deliveryId = `whd_${claim.pendingDeliveryId}`;
  return { claim, deliveryId, startedAt: new Date(0), outcome, durationMs: 1 };
}

/** Ready pending deliveries in memory, claimed as the database does: fair, and within the room of the process. */
export class ReadyDeliveries {
  readonly #ready = new Map<string, string[]>();
  #count = 0;
  /** What each claim was asked for. */
  readonly requested: number[] = [];
  /** How many were given back. */
  released = 0;

  /** Adds `count` ready pending deliveries of one endpoint. */
  add(endpointId: string, count: number): void {
    const pendingDeliveries = this.#ready.get(endpointId) ?? [];
    for (let index = 0; index < count; index += 1) pendingDeliveries.push(`pdl_${++this.#count}`);
    this.#ready.set(endpointId, pendingDeliveries);
  }

  /** Pending deliveries that nobody has claimed. */
  get left(): number {
    return [...this.#ready.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Takes what there is room for. */
  claim({ slots, perEndpoint, inFlight }: Capacity): Claim[] {
    this.requested.push(slots);
    const claims: Claim[] = [];
    for (const [endpointId, pendingDeliveries] of this.#ready) {
      const capacity = Math.min(
        perEndpoint - (inFlight.get(endpointId) ?? 0),
        slots - claims.length,
      );
      for (const pendingDeliveryId of pendingDeliveries.splice(0, Math.max(0, capacity))) {
        claims.push(claimOf(pendingDeliveryId, endpointId));
      }
    }
    return claims;
  }

  /** Puts claims back. */
  release(claims: readonly Claim[]): void {
    this.released += claims.length;
    for (const { endpointId, pendingDeliveryId } of claims)
      this.#ready.get(endpointId)?.push(pendingDeliveryId);
  }
}
