import type * as bullmq from 'bullmq';
import { createRequire } from 'node:module';
import { DatabaseClient } from '../database/connection.js';
import { withServerSettings } from '../database/address.js';

/** Loads only the migrator of BullMQ, because a launcher needs nothing else of it. */
const { runMigrations } = createRequire(import.meta.url)(
  'bullmq/dist/cjs/postgres/migrator',
) as Pick<typeof bullmq, 'runMigrations'>;

/**
 * Migrates the queue's own schema (`bullmq`) of `databaseUrl` to this build. Needed if the queue
 * lives in PostgreSQL, harmless otherwise. Concurrent runs wait for each other.
 * @param lockTimeoutMs a statement waits at most this long for a lock, in milliseconds. Defaults to
 *   0, no limit.
 */
export async function migrateQueue(databaseUrl: string, lockTimeoutMs = 0): Promise<void> {
  const client = new DatabaseClient({
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
