import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from './problem.js';
import { subnetOf } from './subnet.js';

/** The policies of the contract. Each account has one bucket per policy. */
export type Policy = 'default' | 'replay' | 'mail' | 'test';

const windowSeconds = 60;
const replaysPerMinute = 600;
/** Each makes one request to a receiver at most, as a replay does. */
const testEventsPerMinute = 600;
/** Mails to third parties that one account may request. */
const mailsPerMinute = 60;
/** Links to sign in that one address may request. */
const linksPerMinute = 20;
/** Links to sign in that all addresses together may request; each is a row for an hour. */
const linksOfAllPerMinute = 600;
/** Requests that the portal sessions of an account may send, as a share of the account's. */
const portalShare = 0.5;
/** Requests without a credential that one address may send, as a share of an account's. */
const addressShare = 0.1;

/** The rest of a quota, as the response headers state it. */
export interface Quota {
  readonly exceeded: boolean;
  readonly headers: Readonly<Record<'RateLimit' | 'RateLimit-Policy', string>>;
  readonly resetSeconds: number;
  readonly limit: number;
  /** Name of the policy. */
  readonly name: string;
  /** End of the window, in milliseconds of `performance.now()`. */
  readonly until: number;
}

export interface RateLimitOptions {
  /** Requests per minute of one account. */
  readonly perMinute: number;
  /** An ioredis client. Without one, each API process counts by itself. */
  readonly redis?: object;
}

/**
 * Counts requests in fixed windows of one minute. It counts in Redis, or in this process if Redis
 * is not configured or unavailable. It never uses PostgreSQL.
 */
export class RateLimits {
  readonly #buckets: Readonly<Record<Policy | 'page' | 'link' | 'links', Bucket>>;
  /** Of portal sessions. */
  readonly #portals: Readonly<Record<Policy, Bucket>>;

  constructor({ perMinute, redis }: RateLimitOptions) {
    const perAddress = Math.max(1, Math.round(perMinute * addressShare));
    this.#buckets = {
      default: new Bucket('default', perMinute, redis),
      replay: new Bucket('replay', replaysPerMinute, redis),
      mail: new Bucket('mail', mailsPerMinute, redis),
      test: new Bucket('test', testEventsPerMinute, redis),
      page: new Bucket('page', perAddress, redis),
      link: new Bucket('link', linksPerMinute, redis),
      links: new Bucket('links', linksOfAllPerMinute, redis),
    };
    const shareOf = (policy: Policy) => {
      const limit = Math.max(1, Math.floor(this.#buckets[policy].limit * portalShare));
      return new Bucket(`portal-${policy}`, limit, redis);
    };
    this.#portals = {
      default: shareOf('default'),
      replay: shareOf('replay'),
      mail: shareOf('mail'),
      test: shareOf('test'),
    };
  }

  /**
   * Counts one request of an account.
   * @param isPortal whether a portal session sends it. The customers of an account leave it half.
   */
  async consume(policy: Policy, account: string, isPortal = false): Promise<Quota> {
    if (isPortal) {
      const share = await this.#portals[policy].consume(account);
      if (share.exceeded) return share;
    }
    return this.#buckets[policy].consume(account);
  }

  /**
   * Gives back a count for work that was not done. It has no effect after the end of the window.
   * @param consumed what {@link consume} returned
   * @returns the quota afterwards
   */
  restore(policy: Policy, account: string, consumed: Pick<Quota, 'until'>): Promise<Quota> {
    return this.#buckets[policy].restore(account, consumed);
  }

  /**
   * Counts one request of an address for a public page.
   * @throws ApiError rate_limit_exceeded
   */
  async admit(address: string): Promise<void> {
    const quota = await this.#buckets.page.consume(subnetOf(address));
    if (quota.exceeded) throw rateLimitExceeded(quota);
  }

  /**
   * Counts one request of an address for a link to sign in, among those of all addresses.
   * @throws ApiError rate_limit_exceeded
   */
  async admitLink(address: string): Promise<void> {
    const own = await this.#buckets.link.consume(subnetOf(address));
    if (own.exceeded) throw rateLimitExceeded(own);
    const all = await this.#buckets.links.consume('all');
    if (all.exceeded) throw rateLimitExceeded(all);
  }
}

/** The error for a request over its quota. */
export function rateLimitExceeded({ limit, name, resetSeconds, headers }: Quota): ApiError {
  const detail = `Rate limit exceeded: ${limit} per minute (${name}).`;
  return new ApiError('rate_limit_exceeded', detail, {
    retryAfterSeconds: resetSeconds,
    headers,
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

  /** Reads the quota of `holder` without counting. */
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
