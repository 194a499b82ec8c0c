// How often an account, an address or a browser may ask: fixed windows of one minute, counted in Redis for all
// processes, or by this process while Redis is unavailable or not configured. PostgreSQL is never asked. A crash of
// Redis or of the process forgets the counts of at most a minute.
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { openRedis, type RedisClient, silentTimeoutMs } from '../queue/redis.js';
import { networksOf, subnetOf } from './client-address.js';
import { ApiError } from './problems.js';

/** The policies of the contract. Each account has one bucket per policy. */
export type Policy = 'default' | 'replay' | 'mail' | 'test';

const windowSeconds = 60;
const replaysPerMinute = 600;
/** Each makes one request to a receiver at most, as a replay does. */
const testEventsPerMinute = 600;
/** Mails to third parties that one account may request. */
const mailsPerMinute = 60;
/** Sign-in mails that a network may request: an IPv4 address or a /64 of IPv6, a /56, a /48. */
const linksPerMinute = [20, 40, 60];
/** Sign-in mails that all networks together may request; each is a row for an hour. */
const linksOfAllPerMinute = 600;
/** The part of them that is reserved for networks that requested little in this minute. */
const reservedLinksPerMinute = 200;
/** Sign-in mails for one browser that has signed in before. */
const knownLinksPerMinute = 20;
/** What helps when a network, or all networks together, have requested too many sign-in mails. */
const otherNetwork =
  'Try from another network, or from a browser that has signed in with this address before.';
const knownBrowser =
  'Use a browser that has signed in with this address before, or try again later.';
/** Requests that the portal sessions of an account may send, as a share of the account's. */
const portalShare = 0.5;
/** Requests without a credential that one address may send, as a share of an account's. */
const addressShare = 0.1;

/** What is left of a quota, as the response headers state it. */
interface Quota {
  readonly exceeded: boolean;
  readonly headers: Readonly<Record<'RateLimit' | 'RateLimit-Policy', string>>;
  readonly resetSeconds: number;
  readonly limit: number;
  /** Requests in this window, refused ones too. */
  readonly used: number;
  /** Name of the policy. */
  readonly name: string;
  /** End of the window, in milliseconds of `performance.now()`. */
  readonly until: number;
}

interface RateLimitOptions {
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
  readonly #buckets: Readonly<Record<Policy | 'page' | 'links' | 'reserve' | 'known', Bucket>>;
  /** Buckets of networks that request sign-in mails, the narrowest first. */
  readonly #networks: readonly Bucket[];
  /** Buckets of portal sessions. */
  readonly #portals: Readonly<Record<Policy, Bucket>>;

  constructor({ perMinute, redis }: RateLimitOptions) {
    const perAddress = Math.max(1, Math.round(perMinute * addressShare));
    this.#buckets = {
      default: new Bucket('default', perMinute, redis),
      replay: new Bucket('replay', replaysPerMinute, redis),
      mail: new Bucket('mail', mailsPerMinute, redis),
      test: new Bucket('test', testEventsPerMinute, redis),
      page: new Bucket('page', perAddress, redis),
      links: new Bucket('links', linksOfAllPerMinute, redis, reservedLinksPerMinute),
      reserve: new Bucket('links-reserve', reservedLinksPerMinute, redis),
      known: new Bucket('link-known', knownLinksPerMinute, redis),
    };

    this.#networks = linksPerMinute.map((limit) => new Bucket('link', limit, redis));

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
   * @param isPortal whether a portal session sends it; these share half of the quota of the account
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
   * Counts a stranger's request for a sign-in mail. Part of the quota that all strangers share is reserved for networks
   * that requested little, so that a few networks cannot keep the others from signing in.
   * @throws ApiError rate_limit_exceeded
   */
  async admitLink(address: string): Promise<void> {
    let askedLittle = true;

    for (const [level, network] of networksOf(address).entries()) {
      const quota = await this.#networks[level]?.consume(network);
      if (quota?.exceeded) throw rateLimitExceeded(quota, otherNetwork);
      askedLittle &&= (quota?.used ?? 0) <= level + 1;
    }

    const shared = await this.#buckets.links.consume('all');
    if (!shared.exceeded) return;

    if (!askedLittle) throw rateLimitExceeded(shared, knownBrowser);

    const reserve = await this.#buckets.reserve.consume('all');
    if (reserve.exceeded) throw rateLimitExceeded(shared, knownBrowser);
  }

  /**
   * Counts the request for a sign-in mail of a browser that has signed in before. Strangers do not count here.
   * @throws ApiError rate_limit_exceeded
   */
  async admitKnownLink(browser: string): Promise<void> {
    const quota = await this.#buckets.known.consume(browser);
    if (quota.exceeded) throw rateLimitExceeded(quota);
  }
}

/** The error for a request over its quota. @param hint what helps besides waiting */
export function rateLimitExceeded(
  { limit, name, resetSeconds, headers }: Quota,
  hint?: string,
): ApiError {
  const exceeded = `Rate limit exceeded: ${limit} per minute (${name}).`;
  const detail = hint === undefined ? exceeded : `${exceeded} ${hint}`;
  return new ApiError('rate_limit_exceeded', detail, {
    retryAfterSeconds: resetSeconds,
    headers,
  });
}

class Bucket {
  readonly #limiter: RateLimiterMemory | RateLimiterRedis;
  readonly #policy: string;

  /**
   * @param limit as clients read it
   * @param reserved a part of the limit, which another bucket counts
   */
  constructor(
    readonly name: string,
    readonly limit: number,
    redis: object | undefined,
    reserved = 0,
  ) {
    const options = {
      points: limit - reserved,
      duration: windowSeconds,
      keyPrefix: `signalpost-${name}`,
    };

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
    const { points } = this.#limiter;
    const result = (await this.#limiter.get(holder)) ?? new RateLimiterRes(points, 1, 0, true);
    return this.#quota(result, result.consumedPoints >= points);
  }

  #quota(
    { remainingPoints, consumedPoints, msBeforeNext }: RateLimiterRes,
    exceeded: boolean,
  ): Quota {
    const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
    const headers = {
      RateLimit: `"${this.name}";r=${Math.max(0, remainingPoints)};t=${resetSeconds}`,
      'RateLimit-Policy': this.#policy,
    };

    const until = performance.now() + msBeforeNext;
    return {
      exceeded,
      headers,
      resetSeconds,
      limit: this.limit,
      used: consumedPoints,
      name: this.name,
      until,
    };
  }
}

/** Opens the connection of the rate limits. Requests never wait for a Redis that is unavailable. */
export function connectRateLimitRedis(url: string, onError: (error: Error) => void): RedisClient {
  const redis = openRedis(url, {
    connectTimeout: 5_000,
    commandTimeout: 500,
    socketTimeout: silentTimeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectionName: 'signalpost-limits',
  });
  redis.on('error', onError);
  return redis;
}
