import { setTimeout as pause } from 'node:timers/promises';
import { Lru } from '../domain/lru.js';

export interface LookupLimitOptions {
  /** Failed look-ups that one address may cause at once. */
  readonly burst: number;
  /** Failed look-ups per minute beyond the burst. */
  readonly perMinute: number;
  /** Longest wait of one look-up, in milliseconds. */
  readonly maxWaitMs: number;
  /** Monotonic clock in milliseconds. Defaults to the process clock. */
  readonly now?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** Too many look-ups wait already, or this address would wait too long. */
export class LookupLimitExceeded extends Error {
  override readonly name = 'LookupLimitExceeded';

  constructor(readonly retryAfterSeconds: number) {
    super('too many failed look-ups');
  }
}

const maxAddresses = 10_000;
const maxWaiting = 1_000;

/**
 * Limits failed look-ups per address with a leaky bucket (GCRA) in the memory of this process. Only
 * look-ups that find nothing count. While a bucket is full, each look-up takes the next slot in
 * time, so waiting ones run in order of arrival.
 */
export class LookupLimit {
  readonly #intervalMs: number;
  readonly #fullMs: number;
  readonly #maxWaitMs: number;
  readonly #now: () => number;
  readonly #wait: (ms: number) => Promise<unknown>;
  /** When the bucket of an address will be empty. */
  readonly #emptyAt = new Lru<number>(maxAddresses);
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
   * @returns whether it is already counted; {@link uncount} takes that back
   * @throws LookupLimitExceeded when it would wait too long
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

  /** Whether the next look-up for `address` must wait. */
  isFull(address: string): boolean {
    return this.#overfullMs(address) > 0;
  }

  /** Counts a look-up that found nothing. */
  count(address: string): void {
    const now = this.#now();
    this.#set(address, Math.max(now, this.#emptyAt.get(address) ?? now) + this.#intervalMs);
  }

  /** Takes back one count, because the look-up succeeded. */
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
