import type { EndedAttempt } from '../src/domain/delivery/attempt.js';
import type { Claim } from '../src/domain/delivery/claim.js';
import type { Promoted } from '../src/domain/delivery/promote.js';
import type { ReleasedClaim } from '../src/domain/delivery/release-unheard.js';
import type { SettleResult } from '../src/domain/delivery/settle.js';
import { type Clock, processClock } from './clock.js';
import { GiveBacks } from './give-backs.js';
import type { LeaseTimes } from './lease-times.js';
import { Leases } from './leases.js';
import { passed } from './rounds.js';
import { Settler } from './settler.js';
import { Steadiness } from './steadiness.js';
import { UnheardClaims, type UnheardClaimsOptions } from './unheard-claims.js';

/** The statements and transactions of {@link HeldClaims}. */
export interface ClaimStore {
  readonly settle: (ended: readonly EndedAttempt[]) => Promise<SettleResult>;
  /** @returns the tokens of leases that had not been ended */
  readonly extend: (tokens: readonly number[], leaseMs: number) => Promise<readonly number[]>;
  readonly release: (claims: readonly Claim[]) => Promise<void>;
  readonly defer: (claim: Claim) => Promise<void>;
  readonly releaseUnheard: (tokens: readonly number[]) => Promise<readonly ReleasedClaim[]>;
  readonly forgetLeases: (tokens: readonly number[]) => Promise<void>;
  readonly promote: (endLeases: boolean) => Promise<Promoted>;
}

/** What {@link HeldClaims} work with. */
export interface HeldClaimsOptions {
  readonly store: ClaimStore;
  readonly times: LeaseTimes;
  /** Whether what failed with this may have been carried out, and may succeed a moment later. */
  readonly isUnavailable: (error: unknown) => boolean;
  readonly onSettled: (ended: readonly EndedAttempt[], result: SettleResult) => void;
  readonly onSettleError: (error: unknown, attempts: number) => void;
  /** These are sent again. */
  readonly onDropped: (ended: readonly EndedAttempt[]) => void;
  /** Extending leases or giving claims back failed; both are tried again. */
  readonly onError: (error: unknown) => void;
  /** Defaults to the clock of the process. */
  readonly clock?: Clock;
  readonly leases?: (clock: Clock) => Leases;
  readonly unheard?: (options: UnheardClaimsOptions) => UnheardClaims;
  readonly makeToken?: () => number;
}

const everyMs = 1_000;

/**
 * Everything that a process has claimed and neither recorded nor given back. It keeps the leases of
 * what it holds, so that only the end or a long standstill of a process makes others send it again.
 */
export class HeldClaims {
  readonly settler: Settler;
  readonly #options: HeldClaimsOptions;
  readonly #clock: Clock;
  readonly #leases: Leases;
  readonly #unheard: UnheardClaims;
  readonly #giveBacks: GiveBacks;
  readonly #steadiness: Steadiness;
  readonly #stopping = new AbortController();
  #givesBack = false;

  constructor(options: HeldClaimsOptions) {
    const { store, times, isUnavailable, onError, clock = processClock, makeToken } = options;
    this.#options = options;
    this.#clock = clock;
    this.#leases = options.leases?.(clock) ?? new Leases(clock);
    const unheard = options.unheard ?? ((its: UnheardClaimsOptions) => new UnheardClaims(its));
    this.#unheard = unheard({
      release: store.releaseUnheard,
      mayHaveClaimed: isUnavailable,
      leaseMs: times.leaseMs,
      clock,
      ...(makeToken && { makeToken }),
    });
    this.#giveBacks = new GiveBacks({ mayRecover: isUnavailable, onError });
    const { graceMs, latestStartMs: stallMs } = times;
    this.#steadiness = new Steadiness({ graceMs, stallMs: everyMs + stallMs, clock });
    this.settler = new Settler({
      settle: store.settle,
      mayRecover: isUnavailable,
      onSettled: (ended, result) => {
        this.#leases.ended(ended.map(({ claim }) => claim));
        options.onSettled(ended, result);
      },
      onError: options.onSettleError,
      onDropped: options.onDropped,
      clock,
    });
    void this.#run();
  }

  /** Claims under a token of its own. @throws what `claim` does */
  async claim(claim: (token: number) => Promise<Claim[]>): Promise<Claim[]> {
    // From before the statement, because the lease begins in the middle of it.
    const until = this.#clock.now() + this.#options.times.leaseMs;
    const claims = await this.#unheard.claim(claim);
    this.#leases.claimed(claims, until);
    return claims;
  }

  /** Leaves these to the end of their leases: they never end here. */
  leave(claims: readonly Pick<Claim, 'token'>[]): void {
    this.#leases.claimed(claims, this.#clock.now() + this.#options.times.leaseMs);
  }

  /** Gives back claims that were not attempted. */
  release(claims: readonly Claim[]): Promise<void> {
    return this.#giveBacks.add(claims, async () => {
      await this.#options.store.release(claims);
      this.#leases.ended(claims);
    });
  }

  /** Gives back a claim whose attempt failed by a fault of ours. */
  defer(claim: Claim): Promise<void> {
    return this.#giveBacks.add([claim], async () => {
      await this.#options.store.defer(claim);
      this.#leases.ended([claim]);
    });
  }

  /** Gives back what was claimed without this process hearing of it. @returns how many chains */
  releaseUnheard(): Promise<number> {
    return this.#unheard.release();
  }

  /** Forgets the leases of this process whose claims have all ended. */
  async forgetLeases(): Promise<void> {
    const over = this.#leases.takeOver();
    if (over.length > 0) await this.#options.store.forgetLeases(over);
  }

  /** Extends what this process holds, then makes ready what is due. */
  async promote(): Promise<Promoted> {
    try {
      await this.extend();
      return await this.#options.store.promote(this.#steadiness.isSteady);
    } catch (error) {
      this.#steadiness.failed();
      throw error;
    }
  }

  /** Extends the leases of what is not recorded or given back, if they are half over. */
  async extend(): Promise<void> {
    const { store, times } = this.#options;
    const ending = this.#leases.endingWithin(times.leaseMs / 2, this.#tokens());
    if (ending.length === 0) return;
    const until = this.#clock.now() + times.leaseMs;
    this.#leases.extended(await store.extend(ending, times.leaseMs), until);
  }

  /** Records what has ended, within limits; then nothing is extended any more. */
  async close(): Promise<void> {
    await this.settler.close();
    this.#stopping.abort();
  }

  /** Tries once more to give back what could not be given back. */
  async giveBack(): Promise<void> {
    await Promise.all([this.#giveBacks.retry(), this.releaseUnheard()]);
  }

  *#tokens(): Iterable<number> {
    yield* this.settler.tokens();
    yield* this.#giveBacks.tokens();
  }

  async #retry(): Promise<void> {
    this.#givesBack = true;
    try {
      await this.#giveBacks.retry();
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#givesBack = false;
    }
  }

  async #run(): Promise<void> {
    while (await passed(everyMs, this.#stopping.signal, this.#clock)) {
      this.#steadiness.ticks();
      // Not awaited: it may wait for locks on chains, and leases end meanwhile.
      if (!this.#givesBack) void this.#retry();
      try {
        await this.extend();
      } catch (error) {
        this.#steadiness.failed();
        this.#options.onError(error);
      }
    }
  }
}
