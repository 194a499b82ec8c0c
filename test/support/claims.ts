import type { EndedAttempt } from '../../src/domain/delivery/attempt.js';
import type { Claim, Capacity } from '../../src/domain/delivery/claim.js';
import type { Outcome } from '../../src/domain/delivery/outcome.js';

/** A made-up claim. */
export function claimOf(pendingDeliveryId: string, endpointId: string): Claim {
  return {
    pendingDeliveryId,
    token: 1,
    ctid: '(0,1)',
    accountId: 'acc_1',
    endpointId,
    url: 'https://shop.example/',
    maxPerSecond: null,
    secrets: [],
    event: { id: 'evt_1', type: 'cart.order.completed', version: 'v1', body: Buffer.from('{}') },
    attempt: 1,
    maxAttempts: 10,
    replayedFrom: null,
    test: false,
    claimedAt: new Date(0),
  };
}

/** An attempt of `claim`; `outcome` defaults to accepted. */
export function endedOf(
  claim: Claim,
  outcome: Outcome = { kind: 'accepted', status: 200 },
): EndedAttempt {
  const deliveryId = `whd_${claim.pendingDeliveryId}`;
  return { claim, deliveryId, startedAt: new Date(0), outcome, durationMs: 1 };
}

/** Ready pending deliveries in memory. Claims as the database does: fairly, and within the capacity. */
export class ReadyDeliveries {
  readonly #ready = new Map<string, string[]>();
  #count = 0;
  /** The slots of each claim. */
  readonly requested: number[] = [];
  /** The number of released claims. */
  released = 0;

  /** Adds `count` ready pending deliveries of one endpoint. */
  add(endpointId: string, count: number): void {
    const pendingDeliveries = this.#ready.get(endpointId) ?? [];
    for (let index = 0; index < count; index += 1) pendingDeliveries.push(`pdl_${++this.#count}`);
    this.#ready.set(endpointId, pendingDeliveries);
  }

  /** The number of unclaimed pending deliveries. */
  get left(): number {
    return [...this.#ready.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Claims within the capacity. */
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

  /** Gives claims back. */
  release(claims: readonly Claim[]): void {
    this.released += claims.length;
    for (const { endpointId, pendingDeliveryId } of claims)
      this.#ready.get(endpointId)?.push(pendingDeliveryId);
  }
}
