import type { RedisOptions } from 'ioredis';
import type { Pool } from 'pg';
import { Listener, type ListenerOptions } from '../database/listener.js';
import type { WakeupKind } from '../domain/wakeup.js';
import { isCluster, openRedis, type RedisClient } from '../redis/open-redis.js';

/** A connection that receives signals. */
export interface SignalListener {
  close(): Promise<void>;
}

/** What a {@link SignalListener} does. */
export interface SignalOptions {
  readonly kinds: readonly WakeupKind[];
  /** Called for each signal, and for each connection, before which some may have been lost. */
  readonly onSignal: (kind: WakeupKind) => void;
  readonly onError: (error: Error) => void;
}

/** The channel in PostgreSQL on which workers hear signals of `kind`. */
export const channelOf = (kind: WakeupKind): string => `signalpost_wake_${kind}`;

const notifyStatement = { name: 'signal', text: `select pg_notify($1, '')` };

/** Notifies the channel of `kind` in PostgreSQL. */
export async function signalOnPostgres(pool: Pool, kind: WakeupKind): Promise<void> {
  await pool.query({ ...notifyStatement, values: [channelOf(kind)] });
}

/**
 * Listens to the channels in PostgreSQL.
 * @param others more channels for the same connection, as in {@link Listener}
 */
export function listenOnPostgres(
  url: string,
  { kinds, onSignal, onError }: SignalOptions,
  others: ListenerOptions['channels'] = {},
): SignalListener {
  const channels = Object.fromEntries(kinds.map((kind) => [channelOf(kind), () => onSignal(kind)]));
  return new Listener({ url, channels: { ...channels, ...others }, onError });
}

/** Redis brings a message to the clients of all its databases, so the channel names ours. */
const redisChannelOf = (redis: RedisClient, kind: WakeupKind): string =>
  `${channelOf(kind)}_${isCluster(redis) ? 0 : (redis.options.db ?? 0)}`;

/** Publishes on the channel of `kind` in Redis. */
export async function signalOnRedis(redis: RedisClient, kind: WakeupKind): Promise<void> {
  await redis.publish(redisChannelOf(redis, kind), '');
}

/** Listens to the channels in Redis. */
export function listenOnRedis(
  url: string,
  common: RedisOptions,
  { kinds, onSignal, onError }: SignalOptions,
): SignalListener {
  const redis = openRedis(url, {
    ...common,
    maxRetriesPerRequest: null,
    autoResubscribe: false,
    connectionName: 'signalpost-listen',
  });
  const channels = new Map(kinds.map((kind) => [redisChannelOf(redis, kind), kind]));
  redis.on('error', onError);
  redis.on('ready', () => {
    redis.subscribe(...channels.keys()).then(() => kinds.forEach(onSignal), onError);
  });
  redis.on('message', (channel: string) => {
    const kind = channels.get(channel);
    if (kind) onSignal(kind);
  });
  return {
    close() {
      redis.disconnect();
      return Promise.resolve();
    },
  };
}
