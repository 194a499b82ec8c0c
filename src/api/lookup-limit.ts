import { setTimeout as pause } from 'node:timers/promises';

/** How {@link LookupLimit} counts. */
export interface LookupLimitOptions {
  /** Look-ups in vain that one address may cause at once. */
  readonly burst: number;
  /** Further ones per minute. */
  readonly perMinute: number;
  /** How long one waits at most, in milliseconds. */
  readonly maxWaitMs: number;
  /** Milliseconds of a clock that never steps back; defaults to the process clock. */
  readonly now?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** Others wait already, or those of this address would wait for too long. */
export class LookupLimitExceeded extends Error {
  override readonly name = 'LookupLimitExceeded';

  constructor(readonly retryAfterSeconds: number) {
    super('too many failed look-ups');
  }
}

const maxAddresses = 10_000;
const maxWaiting = 1_000;

/**
 * Bounds the look-ups in vain that an address causes: a leaky bucket for each, in the memory of this
 * process (GCRA). Only look-ups that found nothing count. While a bucket is full, each look-up takes
 * the next place in time, so that those who wait are served in the order they came.
 */
export class LookupLimit {
  readonly #intervalMs: number;
  readonly #fullMs: number;
  readonly #maxWaitMs: number;
  readonly #now: () => number;
  readonly #wait: (ms: number) => Promise<unknown>;
  /** When the bucket of an address will be empty; the one touched longest ago first. */
  readonly #emptyAt = new Map<string, number>();
  #waiting = 0;

  constructor({ burst, perMinute, maxWaitMs, now, wait }: LookupLimitOptions) {
    this.#intervalMs = 60_000 / perMinute;
    this.#fullMs = (burst - 1) * this.#intervalMs;
    this.#maxWaitMs = maxWaitMs;
    this.#now = now ?? (() => performance.now());
    this.#wait = wait ?? ((ms) => pause(ms));
  }

  /**
   * Waits until a look-up for `address` may begin.
   * @returns whether it has counted already; {@link uncount} takes that back
   * @throws LookupRefused when it would wait for too long
   */
  async admit(address: string): Promise<boolean> {
    const waitMs = this.#overfullMs(address);
    if (waitMs <= 0) return false;
    if (waitMs > this.#maxWaitMs || this.#waiting >= maxWaiting) {
      throw new LookupLimitExceeded(Math.max(1, Math.ceil((waitMs - this.#maxWaitMs) / 1_000)));
    }
    this.count(address);
    this.#waiting += 1;
    await this.#wait(waitMs).finally(() => (this.#waiting -= 1));
    return true;
  }

  /** Whether the next look-up for `address` has to wait. */
  isFull(address: string): boolean {
    return this.#overfullMs(address) > 0;
  }

  /** Counts a look-up that found nothing. */
  count(address: string): void {
    const now = this.#now();
    this.#set(address, Math.max(now, this.#emptyAt.get(address) ?? now) + this.#intervalMs);
    if (this.#emptyAt.size <= maxAddresses) return;
    const [oldest] = this.#emptyAt.keys();
    if (oldest !== undefined) this.#emptyAt.delete(oldest);
  }

  /** Takes back one count, because the look-up found something after all. */
  uncount(address: string): void {
    const emptyAt = this.#emptyAt.get(address);
    if (emptyAt !== undefined) this.#set(address, emptyAt - this.#intervalMs);
  }

  #overfullMs(address: string): number {
    const emptyAt = this.#emptyAt.get(address);
    return emptyAt === undefined ? 0 : emptyAt - this.#now() - this.#fullMs;
  }

  #set(address: string, emptyAt: number): void {
    this.#emptyAt.delete(address);
    if (emptyAt > this.#now()) this.#emptyAt.set(address, emptyAt);
  }
}
