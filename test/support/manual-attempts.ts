import type { EndedAttempt } from '../../src/domain/delivery/attempt.js';
import type { Claim } from '../../src/domain/delivery/claim.js';
import { endedOf } from './claims.js';

/** Attempts that last until the test ends them. */
export class ManualAttempts {
  readonly #ends = new Map<Claim, () => void>();

  /** Starts an attempt; the `attempt` function of a dispatcher. */
  readonly begin = (claim: Claim): Promise<EndedAttempt> =>
    new Promise((resolve) => this.#ends.set(claim, () => resolve(endedOf(claim))));

  /** The endpoints of all running attempts. */
  get endpoints(): string[] {
    return [...this.#ends.keys()].map(({ endpointId }) => endpointId);
  }

  /** Ends all running attempts as accepted. */
  endAll(): void {
    const ends = [...this.#ends.values()];
    this.#ends.clear();
    for (const end of ends) end();
  }
}
