import type { Claim } from '../../src/domain/delivery/claim.js';
import { type Clock, processClock } from '../process/clock.js';

interface Lease {
  /** Number of claims that have not ended. */
  open: number;
  until: number;
}

type LeasedClaim = Pick<Claim, 'token'>;

/**
 * The leases of this process. A lease is finished when all claims under it are recorded or released. A
 * claim that never ends keeps its lease, which a poll ends after it expires.
 */
export class Leases {
  readonly #clock: Clock;
  readonly #leases = new Map<number, Lease>();
  #finished: number[] = [];

  constructor(clock: Clock = processClock) {
    this.#clock = clock;
  }

  /** @param until when the leases end, in milliseconds of the clock; they are forgotten here then */
  claimed(claims: readonly LeasedClaim[], until: number): void {
    for (const { token } of claims) {
      const lease = this.#leases.get(token);
      if (lease) lease.open += 1;
      else this.#leases.set(token, { open: 1, until });
    }
  }

  /** The tokens whose leases end within `ms` milliseconds, or are forgotten here. */
  endingWithin(ms: number, tokens: Iterable<number>): readonly number[] {
    const latest = this.#clock.now() + ms;
    const ending = new Set<number>();
    for (const token of tokens) {
      if ((this.#leases.get(token)?.until ?? -Infinity) <= latest) ending.add(token);
    }
    return [...ending];
  }

  /** Notes the new end of these leases. */
  extended(tokens: readonly number[], until: number): void {
    for (const token of tokens) {
      const lease = this.#leases.get(token);
      if (lease) lease.until = until;
    }
  }

  /** Notes that these claims are recorded or released; call it once for each claim. */
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

  /** The tokens of leases finished since the last call. */
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
