import { isIPv6 } from 'node:net';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Refused } from './problem.js';

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
  readonly #buckets: Readonly<Record<Policy | 'failure' | 'page', Bucket>>;

  constructor({ perMinute, redis }: RateLimitOptions) {
    const perAddress = Math.max(1, Math.round(perMinute * addressShare));
    this.#buckets = {
      default: new Bucket('default', perMinute, redis),
      replay: new Bucket('replay', replaysPerMinute, redis),
      mail: new Bucket('mail', mailsPerMinute, redis),
      failure: new Bucket('failure', perAddress, redis),
      page: new Bucket('page', perAddress, redis),
    };
  }

  /** Counts one request of an account. */
  take(policy: Policy, account: string): Promise<Quota> {
    return this.#buckets[policy].take(account);
  }

  /**
   * Counts one failed authentication of an address.
   * @throws Refused rate_limit_exceeded when there were too many
   */
  async blame(address: string): Promise<void> {
    const quota = await this.#buckets.failure.take(subnetOf(address));
    if (quota.exceeded) throw tooMany(quota, 'failed authentications');
  }

  /**
   * Counts one request of an address to a page for everybody.
   * @throws Refused rate_limit_exceeded when there were too many
   */
  async admit(address: string): Promise<void> {
    const quota = await this.#buckets.page.take(subnetOf(address));
    if (quota.exceeded) throw tooMany(quota);
  }
}

/** The refusal of a request that was one too many; `what` is what was counted. */
export function tooMany({ limit, resetSeconds, headers }: Quota, what = 'requests'): Refused {
  const detail = `The limit of ${limit} ${what} in ${windowSeconds} seconds is used up.`;
  return new Refused('rate_limit_exceeded', detail, {
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

  async take(holder: string): Promise<Quota> {
    try {
      return this.#quota(await this.#limiter.consume(holder), false);
    } catch (rejected) {
      if (rejected instanceof RateLimiterRes) return this.#quota(rejected, true);
      throw rejected;
    }
  }

  #quota({ remainingPoints, msBeforeNext }: RateLimiterRes, exceeded: boolean): Quota {
    const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
    const headers = {
      RateLimit: `"${this.name}";r=${Math.max(0, remainingPoints)};t=${resetSeconds}`,
      'RateLimit-Policy': this.#policy,
    };
    return { exceeded, headers, resetSeconds, limit: this.limit };
  }
}

/** One customer usually holds a whole /64 of IPv6; an IPv4 address stays itself in every spelling. */
function subnetOf(address: string): string {
  // What a proxy forwards need not be an address; its length is bounded all the same.
  if (!isIPv6(address)) return address.slice(0, 64);
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);
  const [head = '', tail = ''] = address.split('::');
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const groups = [...(before ?? [])];
  if (address.includes('::')) {
    const zeros = 8 - groups.length - (after?.length ?? 0);
    groups.push(...Array.from({ length: zeros }, () => '0'), ...(after ?? []));
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
