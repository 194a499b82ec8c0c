import type { PoolClient } from 'pg';

/** Members of a pg client that its types do not declare. */
interface OpenClient {
  /** The statement that waits for a response. */
  _getActiveQuery(): object | null;
  readonly connection: { readonly stream: { destroy(): void } };
  end(): Promise<void>;
}

/** How long PostgreSQL may take to close a connection, in milliseconds. */
const closeTimeoutMs = 1_000;

/**
 * Closes a connection with a statement in flight before the pool hands it to another user, who
 * would wait for that statement. TypeORM releases a connection without the error that it met.
 */
export function closeIfUnresponsive(client: PoolClient): void {
  const open = client as unknown as OpenClient;
  if (open._getActiveQuery()) void close(open);
}

/**
 * Rolls back the transaction that failed with `error`; never throws. Closes the connection instead,
 * so it is not used again, in three cases:
 * - It cannot roll back. PostgreSQL does so when the connection closes.
 * - It did not respond in time. ROLLBACK would wait behind the statement.
 * - It is read-only. Another server may be the primary by now, and a session setting stays as long
 *   as the connection.
 */
export async function rollBack(client: PoolClient, error: unknown): Promise<void> {
  try {
    if (isReadTimeout(error) || isReadOnly(error)) throw error;
    await client.query('ROLLBACK');
  } catch {
    // Waits, so that the pool opens no replacement before this connection is closed.
    await close(client as unknown as OpenClient);
  }
}

async function close(client: OpenClient): Promise<void> {
  const late = setTimeout(() => client.connection.stream.destroy(), closeTimeoutMs);
  await client.end().catch(() => undefined);
  clearTimeout(late);
}

/** Whether pg threw after `query_timeout`, directly or wrapped by TypeORM. */
function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && /query read timeout/i.test(error.message);
}

/**
 * Whether PostgreSQL refused to write (`read_only_sql_transaction`), directly or wrapped by
 * TypeORM.
 */
function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25006';
}
