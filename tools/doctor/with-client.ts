import { DatabaseClient } from '../../src/database/database-client.js';

const timeoutMs = 3_000;

/** Runs `work` on a connection of its own, which waits at most 3 seconds for each answer. */
export async function withClient<Result>(
  connectionString: string,
  work: (client: DatabaseClient) => Promise<Result>,
): Promise<Result> {
  const client = new DatabaseClient({
    connectionString,
    application_name: 'signalpost-doctor',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  // Without a listener, a broken connection ends the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
