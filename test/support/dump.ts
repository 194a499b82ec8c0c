import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseClient } from '../../src/database/database-client.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { repositoryRoot } from './repository.js';

/** What a kept dump promises to those who upgrade it. */
export interface DumpedFacts {
  readonly account: string;
  /** A live key, and an internal token. */
  readonly token: string;
  readonly internal: string;
  readonly endpoints: readonly {
    readonly id: string;
    readonly path: string;
    readonly secret: string;
  }[];
  /** Events with a pending delivery to each endpoint. The first has failed once. */
  readonly pending: readonly string[];
  /** A request that was made under an idempotency key. */
  readonly idempotent: {
    readonly key: string;
    readonly body: object;
    readonly status: number;
    readonly response: unknown;
  };
  /** The key of an event that was delivered. */
  readonly publishKey: { readonly key: string; readonly event: string };
}

const folder = join(repositoryRoot, 'test', 'dumps');

/** The kept dumps, named after the last migration of each. */
export const dumpNames: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .map((name) => name.slice(0, -'.sql'.length));

/** Restores a dump into a database of its own. What would have expired since is made to last. */
export async function restoreDump(
  name: string,
): Promise<{ readonly database: TestDatabase; readonly facts: DumpedFacts }> {
  const read = (extension: string) => readFileSync(join(folder, `${name}.${extension}`), 'utf8');
  const database = await createTestDatabase(undefined, '', 'template1');
  // The dump changes settings of its session.
  const client = new DatabaseClient({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(read('sql'));
  } finally {
    await client.end();
  }
  await database.query(`update publish_key set expires_at = now() + interval '30 days'`);
  await database.query(
    `update idempotency_record set expires_at = now() + interval '1 day' where expires_at is not null`,
  );
  return { database, facts: JSON.parse(read('json')) as DumpedFacts };
}
