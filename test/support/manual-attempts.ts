import type { EndedAttempt } from '../../src/domain/delivery/rules/attempt.js';
import type { Claim } from '../../src/domain/delivery/claim.js';
import { endedOf } from './claims.js';

/** Attempts that last until the test ends them. */
export class ManualAttempts {
  readonly #ends = new Map<Claim, () => void>();

  /** Begins one; what a dispatcher takes as its `attempt`. */
  readonly begin = (claim: Claim): Promise<EndedAttempt> =>
    new Promise((resolve) => this.#ends.set(claim, () => resolve(endedOf(claim))));

  /** The endpoints of those under way. */
  get endpoints(): string[] {
    return [...this.#ends.keys()].map(({ endpointId }) => endpointId);
  }

  /** Every one under way is accepted. */
  endAll(): void {
    const ends = [...this.#ends.values()];
    this.#ends.clear();
    for (const end of ends) end();
  }
}
