import type { Claim } from '../../src/domain/delivery/claim.js';
import { type Clock, processClock } from '../clock.js';
import type { ConcurrencyLimiter } from './limiter.js';
import type { RecentAttempt } from '../../src/domain/delivery/deliveries.js';

/** An account whose first claim comes later was idle before, so its endpoints earn their slots anew. */
const warmUpMs = 60_000;

interface WarmStartOptions {
  readonly limiter: ConcurrencyLimiter;
  /** The latest attempts of these accounts before `now`, newest first. */
  readonly recent: (accountIds: readonly string[], now: Date) => Promise<RecentAttempt[]>;
  /** Called when endpoints may have more slots than before. */
  readonly onRestored: () => void;
  readonly onError: (error: unknown) => void;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
}

/**
 * Restores the slots that endpoints earned before the process started. For each account that the process
 * claims for in its first minute, it reads the latest attempts once.
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

  /** Restores, in the background, the slots of accounts that appear in `claims` for the first time. */
  restoreFor(claims: readonly Claim[]): void {
    const [first] = claims;
    if (!first || this.#clock.now() > this.#until) return;

    const accountsOfClaims = new Set(claims.map(({ accountId }) => accountId));
    const newAccounts = [...accountsOfClaims].filter((id) => !this.#seenAccounts.has(id));
    if (newAccounts.length === 0) return;
    for (const id of newAccounts) this.#seenAccounts.add(id);

    const { limiter, recent, onRestored, onError } = this.#options;
    recent(newAccounts, first.claimedAt).then((attempts) => {
      limiter.restore([...attempts].reverse());
      onRestored();
    }, onError);
  }
}
