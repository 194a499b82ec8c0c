import type { RedisClient } from '../redis/open-redis.js';
import ioredis = require('ioredis');

/**
 * Returns the policy by which this Redis evicts keys when its memory is full. Scheduled wake-ups
 * then vanish without an error. Undefined when it evicts none, or when it does not allow CONFIG, as
 * some managed services do.
 */
export async function evictionPolicy(redis: RedisClient): Promise<string | undefined> {
  try {
    const [, policy] = (await redis.config('GET', 'maxmemory-policy')) as (string | undefined)[];
    return policy === 'noeviction' ? undefined : policy;
  } catch (error) {
    if (error instanceof ioredis.ReplyError) return undefined;
    throw error;
  }
}

/** The warning that operators read for such a policy. */
export const evictionWarning =
  'Redis evicts wake-ups when its memory is full. Set maxmemory-policy to noeviction.';
