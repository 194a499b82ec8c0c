import { openRedis, type RedisClient, silentTimeoutMs } from '../redis/open-redis.js';

/** Opens the rate limits' own connection. Requests never wait for a Redis that is unavailable. */
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
