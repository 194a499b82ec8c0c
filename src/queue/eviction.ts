import type { Redis } from 'ioredis';
import ioredis = require('ioredis');

/**
 * The policy by which this Redis drops keys when its memory is full, so that scheduled wake-ups vanish
 * and additions do not fail; undefined when it drops none, or does not tell as managed ones may.
 */
export async function evictionPolicy(redis: Redis): Promise<string | undefined> {
  try {
    const [, policy] = (await redis.config('GET', 'maxmemory-policy')) as (string | undefined)[];
    return policy === 'noeviction' ? undefined : policy;
  } catch (error) {
    if (error instanceof ioredis.ReplyError) return undefined;
    throw error;
  }
}

/** What an operator reads when there is such a policy. */
export const evictionWarning =
  'Redis drops wake-ups when its memory is full: set maxmemory-policy to noeviction';
