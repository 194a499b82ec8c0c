import { Redis } from 'ioredis';
import { reasonOf } from '../explain.js';
import { evictionPolicy } from '../queue/eviction.js';
import type { Finding } from './finding.js';

const answerWithinMs = 3_000;

/** Examines the queue on Redis: whether it answers, never evicts, and what its restart costs. */
export async function examineRedis(url: string): Promise<Finding> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: answerWithinMs,
    commandTimeout: answerWithinMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    const version = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? '?';
    const setting = async (name: string) =>
      ((await redis.config('GET', name)) as string[])[1] ?? 'unknown';
    const evicting = await evictionPolicy(redis);
    if (evicting !== undefined) {
      return {
        subject: 'queue',
        level: 'error',
        detail: `Redis ${version} evicts keys (maxmemory-policy ${evicting}): set it to noeviction`,
      };
    }
    const persists =
      (await setting('appendonly').catch(() => 'unknown')) !== 'no' ||
      (await setting('save').catch(() => 'unknown')) !== '';
    return persists
      ? { subject: 'queue', level: 'ok', detail: `Redis ${version}` }
      : {
          subject: 'queue',
          level: 'warning',
          detail: `Redis ${version} keeps nothing on disk: after its restart deliveries wait for the sweep (about a second), none is lost`,
        };
  } catch (error) {
    return {
      subject: 'queue',
      level: 'error',
      detail: `Redis does not answer (${reasonOf(error)}); deliveries go on by the sweep`,
    };
  } finally {
    redis.disconnect();
  }
}
