import { connectRateLimitRedis, RateLimits } from '../http/rate-limits.js';
import type { ServiceConfig } from '../config/config.js';
import type { Lifecycle } from './lifecycle.js';
import type { Logger } from './log.js';

/** Makes the rate limits of this process, and connects to the Redis that counts for all, if it is set. */
export function createRateLimits(
  { redisUrl, rateLimit }: Pick<ServiceConfig, 'redisUrl' | 'rateLimit'>,
  log: Logger,
  lifecycle: Pick<Lifecycle, 'onStop'>,
) {
  const onError = (err: Error) =>
    log.debug({ err }, 'Redis is unavailable; this process counts requests by itself');
  const redis = redisUrl === undefined ? undefined : connectRateLimitRedis(redisUrl, onError);
  lifecycle.onStop('redis', () => {
    redis?.disconnect();
    return Promise.resolve();
  });
  return { redis, limits: new RateLimits({ perMinute: rateLimit, ...(redis && { redis }) }) };
}
