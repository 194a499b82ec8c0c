import type { Redis } from 'ioredis';
import type { Logger } from '../process/log.js';
import ioredis = require('ioredis');

/** The rate limits' own connection: a request never waits for a Redis that is away. */
export function connectRateLimitRedis(url: string, log: Logger): Redis {
  const redis = new ioredis.Redis(url, {
    connectTimeout: 5_000,
    commandTimeout: 500,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectionName: 'signalpost-limits',
  });
  redis.on('error', (error: Error) => log.debug({ err: error }, 'the rate limits have no Redis'));
  return redis;
}
