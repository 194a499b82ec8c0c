import type { Pool, PoolClient, QueryArrayResult, QueryResult } from 'pg';
import { LockNotAvailable, type Query, type Statement, type Tx } from '../domain/tx.js';

/** Members of a pg client that its types do not declare. */
interface Corkable {
  readonly connection: { readonly stream: { cork(): void; uncork(): void } };
}

/** What a transaction sends together with its COMMIT. */
export interface LastQuery {
  readonly query: Query;
  readonly refusal: (error: unknown) => unknown;
}

/** Runs a prepared statement and returns its rows. */
export async function run<Row>(
  client: Pool | PoolClient,
  { name, text }: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  // pg does not modify the values.
  const result = await client.query({ name, text, values: values as unknown[] });
  return result.rows as Row[];
}

// Explicit, because idempotency keys rely on it: a statement after the lock sees what the last
// holder committed.
const beginStatement = 'BEGIN ISOLATION LEVEL READ COMMITTED';

/**
 * Begins a transaction in one round trip: reads the clock, tries the lock, then runs `first`.
 * @throws LockNotAvailable when another session holds the lock
 */
export async function begin(
  client: PoolClient,
  lock: bigint | undefined,
  first: Query | undefined,
): Promise<Pick<Tx, 'now' | 'first'>> {
  // One round trip: a simple query with several statements returns one result for each.
  const text =
    lock === undefined
      ? `${beginStatement}; SELECT now() AS now, true AS locked`
      : `${beginStatement}; SELECT now() AS now, pg_try_advisory_xact_lock(${BigInt.asIntN(64, lock)}) AS locked`;

  holdUntilNextTick(client);

  // A statement of its own after the lock, although it does not wait for it.
  const [results, rows] = await Promise.all([
    client.query(text) as unknown as Promise<
      [QueryArrayResult, QueryResult<{ now: Date; locked: boolean }>]
    >,
    first ? run(client, first.statement, first.values) : [],
  ]);

  const [row] = results[1].rows;
  if (!row) throw new Error('now() returned no row');
  if (!row.locked) throw new LockNotAvailable();

  return { now: row.now, first: rows };
}

/** Runs the last statements and commits, in one round trip. If one fails, PostgreSQL rolls back. */
export async function commit(client: PoolClient, last: readonly LastQuery[]): Promise<void> {
  holdUntilNextTick(client);
  await Promise.all([
    ...last.map(async ({ query: { statement, values }, refusal }) => {
      try {
        await run(client, statement, values);
      } catch (error) {
        throw refusal(error);
      }
    }),
    client.query('COMMIT'),
  ]);
}

/** Sends what is queried until the next tick in one packet. */
export function holdUntilNextTick(client: PoolClient): void {
  const { stream } = (client as unknown as Corkable).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
