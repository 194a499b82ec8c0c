import type { Claim } from '../../src/domain/delivery/claim.js';
import type { RecentAttempt } from '../../src/domain/delivery/recent-attempts.js';
import { type Clock, processClock } from '../process/clock.js';
import type { ConcurrencyLimiter } from './concurrency-limiter.js';

/** Accounts that a process meets later have been idle, or are known to it. */
const warmUpMs = 60_000;

/** What a {@link WarmStart} needs. */
export interface WarmStartOptions {
  readonly limiter: ConcurrencyLimiter;
  /** The latest attempts of accounts before `now`, the newest first. */
  readonly recent: (accountIds: readonly string[], now: Date) => Promise<RecentAttempt[]>;
  /** Hears that endpoints may have more slots than before. */
  readonly onRestored: () => void;
  readonly onError: (error: unknown) => void;
  /** Defaults to the clock of the process. */
  readonly clock?: Clock;
}

/**
 * Gives endpoints back the slots that they had earned before the process started: reads the latest
 * records of each account that the process claims for in its first minute, once.
 */
export class WarmStart {
  readonly #options: WarmStartOptions;
  readonly #clock: Clock;
  readonly #until: number;
  readonly #seenAccounts = new Set<string>();

  constructor(options: WarmStartOptions) {
    const { clock = processClock } = options;
    this.#options = options;
    this.#clock = clock;
    this.#until = clock.now() + warmUpMs;
  }

  /** Looks up the accounts of `claims` that it has not met, and does not wait for that. */
  claimed(claims: readonly Claim[]): void {
    const [first] = claims;
    if (!first || this.#clock.now() > this.#until) return;
    const accountsOfClaims = new Set(claims.map(({ accountId }) => accountId));
    const accounts = [...accountsOfClaims].filter((id) => !this.#seenAccounts.has(id));
    if (accounts.length === 0) return;
    for (const id of accounts) this.#seenAccounts.add(id);
    const { limiter, recent, onRestored, onError } = this.#options;
    recent(accounts, first.claimedAt).then((attempts) => {
      limiter.restore([...attempts].reverse());
      onRestored();
    }, onError);
  }
}
