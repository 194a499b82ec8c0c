import { errorMessage } from '../../src/process/explain-error.js';
import { evictionPolicy } from '../../src/queue/eviction.js';
import { openRedis, type RedisClient } from '../../src/redis/open-redis.js';
import { type Finding, ok, problem, warning } from './finding.js';

const timeoutMs = 3_000;

/** Checks that Redis responds, evicts no keys, and keeps the queue on disk. */
export async function checkRedis(url: string): Promise<Finding> {
  const redis = openRedis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return findingOf(
      await redis.info('server'),
      await evictionPolicy(redis),
      await settingsOf(redis),
    );
  } catch (error) {
    return problem(
      'queue',
      `Redis does not respond (${errorMessage(error)}); retries wait for the poll`,
    );
  } finally {
    redis.disconnect();
  }
}

/** Undefined when CONFIG is not allowed, as on some hosted Redis. */
async function settingsOf(
  redis: RedisClient,
): Promise<Readonly<Record<string, string>> | undefined> {
  const names = ['appendonly', 'save'] as const;
  try {
    const answers = await Promise.all(names.map((name) => redis.config('GET', name)));
    return Object.fromEntries(answers.map((answer) => answer as [string, string]));
  } catch {
    return undefined;
  }
}

function findingOf(
  info: string,
  evicting: string | undefined,
  settings: Readonly<Record<string, string>> | undefined,
): Finding {
  const version = /redis_version:(\S+)/.exec(info)?.[1] ?? '?';
  if (evicting !== undefined) {
    return problem(
      'queue',
      `Redis ${version} evicts keys of the queue when its memory is full (maxmemory-policy ${evicting}): set maxmemory-policy to noeviction, in redis.conf or with CONFIG SET`,
    );
  }
  if (settings?.['appendonly'] === 'no' && settings['save'] === '') {
    return warning(
      'queue',
      `Redis ${version} keeps nothing on disk (appendonly no, save ""): after a restart, retries wait about a second for the poll; none is lost. Set appendonly to yes to avoid the wait`,
    );
  }
  return ok('queue', `Redis ${version}`);
}
