import { setTimeout as pause } from 'node:timers/promises';
import { withServerSettings } from '../../src/database/with-server-settings.js';
import pg = require('pg');

/** Does as {@link connect}, and waits up to `limitMs` while the server starts. */
export async function connectPatiently(
  url: URL,
  name: string,
  limitMs: number,
): Promise<pg.Client> {
  const end = performance.now() + limitMs;
  for (;;) {
    try {
      return await connect(url, name);
    } catch (error) {
      // An adopted server may still be starting (57P03) or not listen yet.
      const { code } = error as { code?: string };
      if ((code !== '57P03' && code !== 'ECONNREFUSED') || performance.now() > end) throw error;
    }
    await pause(50);
  }
}

/** Opens a connection that `pg_stat_activity` shows as `name`; the caller ends it. */
export async function connect(url: URL, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: withServerSettings(url.href),
    application_name: name,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // Without a listener, a broken connection ends the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** The URL of the database `postgres`, which every cluster has. */
export function maintenance(url: URL): URL {
  const other = new URL(url);
  other.pathname = '/postgres';
  return other;
}
