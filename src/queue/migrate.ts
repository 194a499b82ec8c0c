import bullmq = require('bullmq');
import pg = require('pg');

/**
 * Brings the queue's own schema (`bullmq`) of `databaseUrl` up to this build; needed when the queue
 * lives in PostgreSQL, harmless otherwise. Several at once wait for one another.
 */
export async function migrateQueue(databaseUrl: string): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'signalpost-migrate',
    connectionTimeoutMillis: 5_000,
  });
  await client.connect();
  try {
    await bullmq.runMigrations(client);
  } finally {
    await client.end();
  }
}
