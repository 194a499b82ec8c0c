import { setTimeout as pause } from 'node:timers/promises';
import { type ServerSettings, withServerSettings } from '../database/with-server-settings.js';
import pg = require('pg');

/** Connections to the queue in PostgreSQL. */
export interface QueuePool {
  readonly pool: pg.Pool;
  /**
   * Ends every connection, whoever holds it, within a second: BullMQ takes one to listen on when it
   * was closed before it was ready, and never gives it back. To wait for that would be to wait for ever.
   */
  close(): Promise<void>;
}

/** Settings of the queue's connections, beside the common ones. */
export const queueServerSettings: ServerSettings = {
  // BullMQ names its tables without a schema.
  search_path: 'bullmq',
  // A fresh queue would be claimed by sorting all of it.
  enable_sort: 'off',
};

const closeLimitMs = 1_000;

/** @param onError hears of connections that break while nobody uses them */
export function openQueuePool(
  databaseUrl: string,
  max: number,
  onError: (error: Error) => void,
): QueuePool {
  const pool = new pg.Pool({
    connectionString: withServerSettings(databaseUrl, queueServerSettings),
    max,
    application_name: 'signalpost-queue',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
  });
  const open = new Set<pg.PoolClient>();
  pool.setMaxListeners(0);
  pool.on('error', onError);
  pool.on('connect', (client) => {
    open.add(client);
    // The pool lets go of a connection before it is closed; an error then must not end the process.
    client.on('error', () => undefined);
    if (pool.ending) void endOf(client);
  });
  pool.on('remove', (client) => open.delete(client));
  return {
    pool,
    async close() {
      pool.end().catch(onError);
      const limit = new AbortController();
      const late = pause(closeLimitMs, undefined, { signal: limit.signal }).catch(() => undefined);
      await Promise.race([Promise.all([...open].map(endOf)), late]);
      limit.abort();
    },
  };
}

/** A client of a pool can be ended, though its type does not say so. */
async function endOf(client: pg.PoolClient): Promise<void> {
  await (client as unknown as pg.Client).end().catch(() => undefined);
}
