import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from './problem.js';
import { subnetOf } from './subnet.js';

/** The quotas of the contract, one bucket for each account (H80, H95). */
export type Policy = 'default' | 'replay' | 'mail';

const windowSeconds = 60;
const replaysPerMinute = 600;
/** Mails to strangers that one account asks for. */
const mailsPerMinute = 60;
/** What one address may do without a credential, as a share of what an account may ask. */
const addressShare = 0.1;

/** What is left of a quota, as the response headers say it. */
export interface Quota {
  readonly exceeded: boolean;
  readonly headers: Readonly<Record<'RateLimit' | 'RateLimit-Policy', string>>;
  readonly resetSeconds: number;
  readonly limit: number;
  /** Of the policy. */
  readonly name: string;
  /** When its window ends, in milliseconds of `performance.now()`. */
  readonly until: number;
}

/** How {@link RateLimits} is made. */
export interface RateLimitOptions {
  /** Requests of one account (H95). */
  readonly perMinute: number;
  /** An ioredis client; without one, each API process counts for itself. */
  readonly redis?: object;
}

/**
 * Counts requests in fixed windows of a minute: in Redis when there is one, in this process
 * otherwise and whenever Redis is away. Never in PostgreSQL.
 */
export class RateLimits {
  readonly #buckets: Readonly<Record<Policy | 'page', Bucket>>;

  constructor({ perMinute, redis }: RateLimitOptions) {
    const perAddress = Math.max(1, Math.round(perMinute * addressShare));
    this.#buckets = {
      default: new Bucket('default', perMinute, redis),
      replay: new Bucket('replay', replaysPerMinute, redis),
      mail: new Bucket('mail', mailsPerMinute, redis),
      page: new Bucket('page', perAddress, redis),
    };
  }

  /** Counts one request of an account. */
  consume(policy: Policy, account: string): Promise<Quota> {
    return this.#buckets[policy].consume(account);
  }

  /**
   * Gives back what was counted for something that was not done after all. In a window that is over
   * there is nothing to give back.
   * @param consumed what `take` returned
   * @returns where the account stands now
   */
  restore(policy: Policy, account: string, consumed: Pick<Quota, 'until'>): Promise<Quota> {
    return this.#buckets[policy].restore(account, consumed);
  }

  /**
   * Counts one request of an address to a page for everybody.
   * @throws Refused rate_limit_exceeded when there were too many
   */
  async admit(address: string): Promise<void> {
    const quota = await this.#buckets.page.consume(subnetOf(address));
    if (quota.exceeded) throw rateLimitExceeded(quota);
  }
}

/** The refusal of a request that was one too many. */
export function rateLimitExceeded({ limit, name, resetSeconds, headers }: Quota): ApiError {
  const detail = `Rate limit exceeded: ${limit} per minute (${name}).`;
  return new ApiError('rate_limit_exceeded', detail, {
    headers: { 'Retry-After': String(resetSeconds), ...headers },
  });
}

class Bucket {
  readonly #limiter: RateLimiterMemory | RateLimiterRedis;
  readonly #policy: string;

  constructor(
    readonly name: string,
    readonly limit: number,
    redis: object | undefined,
  ) {
    const options = { points: limit, duration: windowSeconds, keyPrefix: `signalpost-${name}` };
    const memory = new RateLimiterMemory(options);
    this.#policy = `"${name}";q=${limit};w=${windowSeconds}`;
    this.#limiter = redis
      ? new RateLimiterRedis({
          ...options,
          storeClient: redis,
          insuranceLimiter: memory,
          rejectIfRedisNotReady: true,
        })
      : memory;
  }

  async consume(holder: string): Promise<Quota> {
    try {
      return this.#quota(await this.#limiter.consume(holder), false);
    } catch (rejected) {
      if (rejected instanceof RateLimiterRes) return this.#quota(rejected, true);
      throw rejected;
    }
  }

  async restore(holder: string, { until }: Pick<Quota, 'until'>): Promise<Quota> {
    if (performance.now() >= until) return this.look(holder);
    return this.#quota(await this.#limiter.reward(holder), false);
  }

  /** Where `holder` stands, without counting. */
  async look(holder: string): Promise<Quota> {
    const found = (await this.#limiter.get(holder)) ?? new RateLimiterRes(this.limit, 1, 0, true);
    return this.#quota(found, found.consumedPoints >= this.limit);
  }

  #quota({ remainingPoints, msBeforeNext }: RateLimiterRes, exceeded: boolean): Quota {
    const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
    const headers = {
      RateLimit: `"${this.name}";r=${Math.max(0, remainingPoints)};t=${resetSeconds}`,
      'RateLimit-Policy': this.#policy,
    };
    const until = performance.now() + msBeforeNext;
    return { exceeded, headers, resetSeconds, limit: this.limit, name: this.name, until };
  }
}
