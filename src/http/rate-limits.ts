// How often an account, an address or a browser may ask: fixed windows of one minute, counted in Redis for all
// processes, or by this process while Redis is unavailable or not configured. PostgreSQL is never asked. A crash of
// Redis or of the process forgets the counts of at most a minute.
//
// An account has one limit for each policy, and its portals together half of that. A public page is limited by address.
// A sign-in mail counts towards the networks of the address, and towards a limit of all strangers together. A browser
// that has signed in before has a limit of its own, so strangers cannot use it up.
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { openRedis, type RedisClient, silentTimeoutMs } from '../queue/redis.js';
import { networksOf, subnetOf } from './client-address.js';
import { ApiError } from './problems.js';

/** The policies of the contract. An account has one limit for each. */
export type Policy = 'default' | 'replay' | 'mail' | 'test';

const windowSeconds = 60;

const replaysPerMinute = 600;
/** Each makes one request to a receiver at most, as a replay does. */
const testEventsPerMinute = 600;
/** Mails to third parties that one account may request. */
const mailsPerMinute = 60;

/** Requests that the portal sessions of an account may send, as a share of the account's. */
const portalShare = 0.5;
/** Requests without a credential that one address may send, as a share of an account's. */
const addressShare = 0.1;

/** Sign-in mails that a network may request: an IPv4 address or a /64 of IPv6, a /56, a /48. */
const linksPerMinute = [20, 40, 60];
/** Sign-in mails that all networks together may request; each is a row for an hour. */
const linksOfAllPerMinute = 600;
/** The part of them that is reserved for networks that requested few in this minute. */
const reservedLinksPerMinute = 200;
/** Sign-in mails for one browser that has signed in before. */
const knownLinksPerMinute = 20;

/** What helps when a network has requested too many sign-in mails. */
const useOtherNetwork =
  'Try from another network, or from a browser that has signed in with this address before.';
/** What helps when all networks together have requested too many. */
const useKnownBrowser =
  'Use a browser that has signed in with this address before, or try again later.';

/** What is left of a limit, as the response headers state it. */
interface Quota {
  readonly exceeded: boolean;
  readonly headers: Readonly<Record<'RateLimit' | 'RateLimit-Policy', string>>;
  readonly resetSeconds: number;
  readonly limit: number;
  /** Requests in this window, refused ones too. */
  readonly used: number;
  /** Name of the limit. */
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

/** The limits of all requests. Each has its own count for every account, address, network or browser. */
export class RateLimits {
  readonly #accounts: Readonly<Record<Policy, WindowCounter>>;
  /** The portal sessions of an account, which count for the account, too. */
  readonly #portals: Readonly<Record<Policy, WindowCounter>>;
  /** Public pages, by address. */
  readonly #pages: WindowCounter;
  /** Sign-in mails by network, the narrowest first. */
  readonly #linksOfNetworks: readonly WindowCounter[];
  /** Sign-in mails of all networks together, without those that are reserved. */
  readonly #linksOfAll: WindowCounter;
  readonly #reservedLinks: WindowCounter;
  /** Sign-in mails of browsers that have signed in before. */
  readonly #knownBrowserLinks: WindowCounter;

  constructor({ perMinute, redis }: RateLimitOptions) {
    const counter = (name: string, limit: number, reserved = 0) =>
      new WindowCounter({
        name,
        limit,
        reserved,
        redis,
      });

    this.#accounts = {
      default: counter('default', perMinute),
      replay: counter('replay', replaysPerMinute),
      mail: counter('mail', mailsPerMinute),
      test: counter('test', testEventsPerMinute),
    };

    const portalCounter = (policy: Policy) => {
      const { limit } = this.#accounts[policy];
      return counter(`portal-${policy}`, Math.max(1, Math.floor(limit * portalShare)));
    };

    this.#portals = {
      default: portalCounter('default'),
      replay: portalCounter('replay'),
      mail: portalCounter('mail'),
      test: portalCounter('test'),
    };

    this.#pages = counter('page', Math.max(1, Math.round(perMinute * addressShare)));

    this.#linksOfNetworks = linksPerMinute.map((limit) => counter('link', limit));
    this.#linksOfAll = counter('links', linksOfAllPerMinute, reservedLinksPerMinute);
    this.#reservedLinks = counter('links-reserve', reservedLinksPerMinute);
    this.#knownBrowserLinks = counter('link-known', knownLinksPerMinute);
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
    return this.#accounts[policy].consume(account);
  }

  /**
   * Gives back a count for work that was not done. It has no effect after the end of the window.
   * @param consumed what {@link consume} returned
   * @returns the quota afterwards
   */
  restore(policy: Policy, account: string, consumed: Pick<Quota, 'until'>): Promise<Quota> {
    return this.#accounts[policy].restore(account, consumed);
  }

  /**
   * Counts one request of an address for a public page.
   * @throws ApiError rate_limit_exceeded
   */
  async admit(address: string): Promise<void> {
    const quota = await this.#pages.consume(subnetOf(address));
    if (quota.exceeded) throw rateLimitExceeded(quota);
  }

  /**
   * Counts a stranger's request for a sign-in mail. Part of the quota that all strangers share is reserved for networks
   * that requested little, so that a few networks cannot keep the others from signing in.
   * @throws ApiError rate_limit_exceeded
   */
  async admitLink(address: string): Promise<void> {
    const requestedLittle = await this.#admitNetworks(networksOf(address));

    const shared = await this.#linksOfAll.consume('all');
    if (!shared.exceeded) return;

    const isReserved = requestedLittle && !(await this.#reservedLinks.consume('all')).exceeded;
    if (!isReserved) throw rateLimitExceeded(shared, useKnownBrowser);
  }

  /**
   * Counts a sign-in mail for each network of an address.
   * @param networks the narrowest first
   * @returns whether it is the first of the narrowest network, and among the first two or three of the wider ones
   * @throws ApiError rate_limit_exceeded
   */
  async #admitNetworks(networks: readonly string[]): Promise<boolean> {
    let requestedLittle = true;

    for (const [level, network] of networks.entries()) {
      const quota = await this.#linksOfNetworks[level]?.consume(network);
      if (quota?.exceeded) throw rateLimitExceeded(quota, useOtherNetwork);
      requestedLittle &&= (quota?.used ?? 0) <= level + 1;
    }

    return requestedLittle;
  }

  /**
   * Counts the request for a sign-in mail of a browser that has signed in before. Strangers do not count here.
   * @throws ApiError rate_limit_exceeded
   */
  async admitKnownLink(browser: string): Promise<void> {
    const quota = await this.#knownBrowserLinks.consume(browser);
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

interface CounterOptions {
  /** Names the limit in response headers and in the keys of Redis: a new name starts a new count. */
  readonly name: string;
  /** Requests per minute of each holder, as clients read it. */
  readonly limit: number;
  /** A part of the limit that another counter counts. */
  readonly reserved: number;
  readonly redis: object | undefined;
}

/** Counts the requests of each holder against one limit. */
class WindowCounter {
  readonly name: string;
  readonly limit: number;
  readonly #policy: string;
  readonly #limiter: RateLimiterMemory | RateLimiterRedis;

  constructor({ name, limit, reserved, redis }: CounterOptions) {
    this.name = name;
    this.limit = limit;
    this.#policy = `"${name}";q=${limit};w=${windowSeconds}`;

    const options = {
      points: limit - reserved,
      duration: windowSeconds,
      keyPrefix: `signalpost-${name}`,
    };
    const memory = new RateLimiterMemory(options);

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
    if (performance.now() >= until) return this.#look(holder);
    return this.#quota(await this.#limiter.reward(holder), false);
  }

  /** Reads the quota of `holder` without counting. */
  async #look(holder: string): Promise<Quota> {
    const { points } = this.#limiter;
    const result = (await this.#limiter.get(holder)) ?? new RateLimiterRes(points, 1, 0, true);
    return this.#quota(result, result.consumedPoints >= points);
  }

  #quota(
    { remainingPoints, consumedPoints, msBeforeNext }: RateLimiterRes,
    exceeded: boolean,
  ): Quota {
    const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
    return {
      exceeded,
      headers: {
        RateLimit: `"${this.name}";r=${Math.max(0, remainingPoints)};t=${resetSeconds}`,
        'RateLimit-Policy': this.#policy,
      },
      resetSeconds,
      limit: this.limit,
      used: consumedPoints,
      name: this.name,
      until: performance.now() + msBeforeNext,
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
