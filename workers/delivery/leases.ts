import type { Claim } from '../../src/domain/delivery/claim.js';
import { type Clock, processClock } from '../process/clock.js';

interface Lease {
  /** Claims that have not ended. */
  open: number;
  until: number;
}

type LeasedClaim = Pick<Claim, 'token'>;

/**
 * Which leases of this process nobody needs any more: all claims under them have been settled or
 * given back. A claim that is never heard of again keeps its lease, and the poller ends it.
 */
export class Leases {
  readonly #clock: Clock;
  readonly #leases = new Map<number, Lease>();
  #finished: number[] = [];

  constructor(clock: Clock = processClock) {
    this.#clock = clock;
  }

  /** @param until when they end, as the clock counts; whatever is left of them then is forgotten here */
  claimed(claims: readonly LeasedClaim[], until: number): void {
    for (const { token } of claims) {
      const lease = this.#leases.get(token);
      if (lease) lease.open += 1;
      else this.#leases.set(token, { open: 1, until });
    }
  }

  /** Those of these tokens whose leases end within `ms`, or have been forgotten here. */
  endingWithin(ms: number, tokens: Iterable<number>): readonly number[] {
    const latest = this.#clock.now() + ms;
    const ending = new Set<number>();
    for (const token of tokens) {
      if ((this.#leases.get(token)?.until ?? -Infinity) <= latest) ending.add(token);
    }
    return [...ending];
  }

  /** These leases last until then. */
  extended(tokens: readonly number[], until: number): void {
    for (const token of tokens) {
      const lease = this.#leases.get(token);
      if (lease) lease.until = until;
    }
  }

  /** These claims are recorded as ended; call it once for each. */
  ended(claims: readonly LeasedClaim[]): void {
    for (const { token } of claims) {
      const lease = this.#leases.get(token);
      if (!lease) continue;
      lease.open -= 1;
      if (lease.open > 0) continue;
      this.#leases.delete(token);
      this.#finished.push(token);
    }
  }

  /** The tokens of leases that are over since it was last asked. */
  takeFinished(): readonly number[] {
    const now = this.#clock.now();
    for (const [token, { until }] of this.#leases) {
      if (until <= now) this.#leases.delete(token);
    }
    const finished = this.#finished;
    this.#finished = [];
    return finished;
  }
}
