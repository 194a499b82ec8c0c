import type { Pool, PoolClient, QueryArrayResult, QueryResult } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import type { DomainRules } from '../domain/rules.js';
import {
  LockNotAvailable,
  type Read,
  throwIfAborted,
  type Statement,
  type Transact,
  type TransactOptions,
  type Tx,
} from '../domain/tx.js';
import type { Wakeup } from '../domain/wakeup.js';
import { bulkheadFor, type AcquireConnection, withConnection } from './bulkhead.js';
import { type ConnectionOptions, createDataSource } from './data-source.js';
import { closeIfUnresponsive, rollBack } from './roll-back.js';
import { checkSchema } from './schema-check.js';

/** What a {@link Database} needs besides the connection. */
export interface DatabaseOptions extends ConnectionOptions {
  readonly rules: DomainRules;
  /** Sends wake-ups after a commit; must not throw. */
  readonly wake?: (wakeups: readonly Wakeup[]) => void;
  /** Counts records that a commit turned from failed to abandoned; must not throw. */
  readonly abandoned?: (records: number) => void;
}

/** What a transaction owes after its commit. */
interface AfterCommit {
  readonly wakeups: Wakeup[];
  abandoned: number;
}

/**
 * The one door to PostgreSQL: reads, and transactions that send their wake-ups and count after the commit.
 * A transaction costs two round trips besides its statements: the first also reads the clock and
 * tries the lock, the last commits.
 */
export class Database {
  readonly read: Read;
  /** See {@link Transact}. */
  readonly transact: Transact;
  readonly #dataSource: DataSource;
  readonly #options: DatabaseOptions;

  private constructor(dataSource: DataSource, options: DatabaseOptions) {
    this.#dataSource = dataSource;
    this.#options = options;
    this.read = {
      manager: dataSource.manager,
      rules: options.rules,
      sql: (statement, values) => run(this.#pool, statement, values),
    };
    this.transact = (work, options) => this.#transact(dataSource, work, options);
  }

  /**
   * The same database for one of its users, who holds as many connections as `take` gives, and so leaves
   * the others to the rest of the process.
   */
  bulkhead(acquire: AcquireConnection): Pick<Database, 'read' | 'transact'> {
    const dataSource = bulkheadFor(this.#dataSource, acquire);
    return {
      read: {
        manager: dataSource.createEntityManager(),
        rules: this.#options.rules,
        sql: (statement, values) => withConnection(acquire, () => this.read.sql(statement, values)),
      },
      transact: (work, options) => this.#transact(dataSource, work, options),
    };
  }

  /**
   * Connects.
   * @throws SchemaMismatch when migrations are missing or unknown; nothing is changed
   */
  static async open(options: DatabaseOptions): Promise<Database> {
    const dataSource = await createDataSource(options).initialize();
    const database = new Database(dataSource, options);
    database.#pool.on('release', (_error, client) => closeIfUnresponsive(client));
    try {
      await checkSchema(database.#pool);
    } catch (error) {
      await dataSource.destroy();
      throw error;
    }
    return database;
  }

  async #transact<T>(
    dataSource: DataSource,
    work: (tx: Tx) => Promise<T>,
    { lock, signal }: TransactOptions = {},
  ): Promise<T> {
    throwIfAborted(signal);
    const runner = dataSource.createQueryRunner();
    const afterCommit: AfterCommit = { wakeups: [], abandoned: 0 };
    try {
      const client = (await runner.connect()) as PoolClient;
      throwIfAborted(signal);
      try {
        const now = await begin(client, lock);
        const result = await work(this.#tx(runner.manager, client, now, afterCommit));
        throwIfAborted(signal);
        await client.query('COMMIT');
        if (afterCommit.wakeups.length > 0) this.#options.wake?.(afterCommit.wakeups);
        if (afterCommit.abandoned > 0) this.#options.abandoned?.(afterCommit.abandoned);
        return result;
      } catch (error) {
        await rollBack(client, error);
        throw error;
      }
    } finally {
      await runner.release();
    }
  }

  /** Resolves when PostgreSQL answers. */
  async ping(): Promise<void> {
    await this.#pool.query('SELECT 1');
  }

  /** Closes every connection; waits for reads, while a transaction that still runs is broken off. */
  async close(): Promise<void> {
    await this.#dataSource.destroy();
  }

  get #pool(): Pool {
    return (this.#dataSource.driver as unknown as { master: Pool }).master;
  }

  #tx(manager: EntityManager, client: PoolClient, now: Date, afterCommit: AfterCommit): Tx {
    return {
      manager,
      now,
      rules: this.#options.rules,
      sql: (statement, values) => run(client, statement, values),
      abandoned: (records) => void (afterCommit.abandoned += records),
      wake: (wakeup) => void afterCommit.wakeups.push(wakeup),
    };
  }
}

async function run<Row>(
  client: Pool | PoolClient,
  { name, text }: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  // pg reads them only.
  const result = await client.query({ name, text, values: values as unknown[] });
  return result.rows as Row[];
}

// Said, because keys rely on it: a statement after the lock sees what its last holder committed.
const beginStatement = 'BEGIN ISOLATION LEVEL READ COMMITTED';

async function begin(client: PoolClient, lock: bigint | undefined): Promise<Date> {
  // One round trip: several statements in one simple query answer with one result each.
  const text =
    lock === undefined
      ? `${beginStatement}; SELECT now() AS now, true AS locked`
      : `${beginStatement}; SELECT now() AS now, pg_try_advisory_xact_lock(${BigInt.asIntN(64, lock)}) AS locked`;
  const results = (await client.query(text)) as unknown as [
    QueryArrayResult,
    QueryResult<{ now: Date; locked: boolean }>,
  ];
  const [row] = results[1].rows;
  if (!row) throw new Error('now() returned no row');
  if (!row.locked) throw new LockNotAvailable();
  return row.now;
}
