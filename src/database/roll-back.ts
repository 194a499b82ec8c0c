import type { PoolClient } from 'pg';

/** What a client of pg tells, and its types do not. */
interface OpenClient {
  /** The statement that waits for an answer. */
  _getActiveQuery(): object | null;
  readonly connection: { readonly stream: { destroy(): void } };
  end(): Promise<void>;
}

/** How long PostgreSQL has to end a connection that it was asked to end, in milliseconds. */
const closeTimeoutMs = 1_000;

/**
 * Closes a connection that still owes an answer, before the pool hands it to somebody who would wait for
 * that answer too: TypeORM releases a connection without the error that it met.
 */
export function closeIfUnresponsive(client: PoolClient): void {
  const open = client as unknown as OpenClient;
  if (open._getActiveQuery()) void close(open);
}

/**
 * Ends the transaction that `error` broke off; throws nothing. Closed, and so not used again, is a
 * connection that cannot roll back (PostgreSQL does when it goes), one that did not answer in time
 * (ROLLBACK would wait behind the statement), and one that only reads: another server may write by now,
 * and a setting of the session outlives what it came from.
 */
export async function rollBack(client: PoolClient, error: unknown): Promise<void> {
  try {
    if (isReadTimeout(error) || isReadOnly(error)) throw error;
    await client.query('ROLLBACK');
  } catch {
    // Waited for, lest the pool opens another one before this one is gone.
    await close(client as unknown as OpenClient);
  }
}

async function close(client: OpenClient): Promise<void> {
  const late = setTimeout(() => client.connection.stream.destroy(), closeTimeoutMs);
  await client.end().catch(() => undefined);
  clearTimeout(late);
}

/** What pg throws after `query_timeout`, bare or wrapped by TypeORM. */
function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && /query read timeout/i.test(error.message);
}

/** What PostgreSQL says to who writes where it only reads (`read_only_sql_transaction`), bare or wrapped by TypeORM. */
function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25006';
}
