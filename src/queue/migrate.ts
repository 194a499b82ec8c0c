import type * as bullmq from 'bullmq';
import { createRequire } from 'node:module';
import { withServerSettings } from '../database/with-server-settings.js';
import pg = require('pg');

/** Of all that BullMQ is, a launcher needs this file. */
const { runMigrations } = createRequire(import.meta.url)(
  'bullmq/dist/cjs/postgres/migrator',
) as Pick<typeof bullmq, 'runMigrations'>;

/**
 * Brings the queue's own schema (`bullmq`) of `databaseUrl` up to this build; needed when the queue
 * lives in PostgreSQL, harmless otherwise. Several at once wait for one another.
 * @param lockTimeoutMs a statement gives up a lock after it; 0 for never
 */
export async function migrateQueue(databaseUrl: string, lockTimeoutMs = 0): Promise<void> {
  const client = new pg.Client({
    connectionString: withServerSettings(databaseUrl),
    application_name: 'signalpost-migrate',
    connectionTimeoutMillis: 5_000,
    lock_timeout: lockTimeoutMs,
  });
  await client.connect();
  try {
    await runMigrations(client);
  } finally {
    await client.end();
  }
}
