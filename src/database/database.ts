// The only access to PostgreSQL of a process: reads, and transactions that send wake-ups after the commit.
//
// A transaction costs two round trips besides its statements. The first reads the clock, tries the advisory lock
// and runs `firstQuery`; the last runs what `commitWith` names and commits. Wake-ups, counts and notifications of
// changed credentials happen only after the commit, and never fail the transaction.
//
// A connection goes back to the pool only when no statement is in flight on it; otherwise it is closed. A crash in
// a transaction leaves nothing: PostgreSQL rolls back. A crash after a commit loses its wake-ups; the next poll
// finds their rows.
import type { Pool, PoolClient, QueryArrayResult, QueryResult } from 'pg';
import type { DataSource, EntityManager, QueryRunner, ReplicationMode } from 'typeorm';
import type { Actor } from '../domain/transaction/actor.js';
import type { DomainRules } from '../domain/transaction/rules.js';
import {
  type Read,
  throwIfAborted,
  type Transact,
  type TransactOptions,
  type Tx,
  LockNotAvailable,
  type Query,
  type Statement,
} from '../domain/transaction/tx.js';
import type { Wakeup } from '../domain/transaction/wakeup.js';
import { type ConnectionOptions, createDataSource } from './data-source.js';
import { checkSchema } from './schema.js';

/** Options of a {@link Database}, in addition to the connection. */
export interface DatabaseOptions extends ConnectionOptions {
  readonly rules: DomainRules;
  /** Who makes the changes of transactions that name no actor. */
  readonly actor?: Actor;
  /** Sends wake-ups after a commit; must not throw. */
  readonly wake?: (wakeups: readonly Wakeup[]) => void;
  /** Counts records that a commit turned from failed to abandoned; must not throw. */
  readonly abandoned?: (records: number) => void;
  /** Called after a commit that changed a credential or a role; must not throw. */
  readonly credentialsChanged?: () => void;
}

/** What a transaction does after its commit. */
interface AfterCommit {
  readonly wakeups: Wakeup[];
  abandoned: number;
  credentialsChanged: boolean;
}

/** The database of one process. */
export class Database {
  readonly read: Read;
  /** See {@link Transact}. */
  readonly transact: Transact;
  readonly writeRefusals: WriteRefusals;
  readonly #dataSource: DataSource;
  readonly #options: DatabaseOptions;

  private constructor(
    dataSource: DataSource,
    options: DatabaseOptions,
    writeRefusals: WriteRefusals,
  ) {
    this.#dataSource = dataSource;
    this.writeRefusals = writeRefusals;
    this.#options = options;
    this.read = {
      manager: dataSource.manager,
      rules: options.rules,
      sql: (statement, values) => run(this.#pool, statement, values),
    };
    this.transact = (work, options) => this.#transact(dataSource, work, options);
  }

  /**
   * Returns the database for one of its users. Its connections are limited by `acquire`, so that
   * others remain for the rest of the process.
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
    const writeRefusals = new WriteRefusals();
    const dataSource = await createDataSource({
      ...options,
      onServerError: (sqlState) => writeRefusals.observe(sqlState),
    }).initialize();

    const database = new Database(dataSource, options, writeRefusals);
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
    { actor = this.#options.actor, traceparent, lock, firstQuery, signal }: TransactOptions = {},
  ): Promise<T> {
    throwIfAborted(signal);

    const runner = dataSource.createQueryRunner();
    const afterCommit: AfterCommit = { wakeups: [], abandoned: 0, credentialsChanged: false };
    try {
      const client = (await runner.connect()) as PoolClient;
      throwIfAborted(signal);

      try {
        const begun = await begin(client, lock, firstQuery);
        const last: LastQuery[] = [];
        const result = await work({
          ...begun,
          actor,
          traceparent,
          ...this.#tx(runner.manager, client, afterCommit),
          commitWith: (query, refusal = (error) => error) => void last.push({ query, refusal }),
        });

        throwIfAborted(signal);
        await commit(client, last);
        if (afterCommit.credentialsChanged) this.#options.credentialsChanged?.();
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

  /** Resolves when PostgreSQL responds. */
  async ping(): Promise<void> {
    await this.#pool.query('SELECT 1');
  }

  /** Resolves when PostgreSQL responds and has refused no write lately. @throws WritesRefused */
  async checkWrites(): Promise<void> {
    await this.ping();
    await this.writeRefusals.check();
  }

  /** Closes every connection. Waits for reads, but interrupts transactions that still run. */
  async close(): Promise<void> {
    await this.#dataSource.destroy();
  }

  get #pool(): Pool {
    return (this.#dataSource.driver as unknown as { master: Pool }).master;
  }

  #tx(
    manager: EntityManager,
    client: PoolClient,
    afterCommit: AfterCommit,
  ): Omit<Tx, 'now' | 'actor' | 'traceparent' | 'firstRows' | 'commitWith'> {
    let failure: Error | undefined;
    return {
      manager,
      rules: this.#options.rules,
      sql: async (statement, values) => {
        holdUntilNextTick(client);
        try {
          return await run(client, statement, values);
        } catch (error) {
          // After a failure, pipelined statements only report "aborted": keep the first error.
          failure ??= error as Error;
          throw failure;
        }
      },
      countAbandoned: (records) => void (afterCommit.abandoned += records),
      credentialsChanged: () => void (afterCommit.credentialsChanged = true),
      wake: (wakeup) => void afterCommit.wakeups.push(wakeup),
    };
  }
}

/** SQLSTATEs of a full disk, of a failing one, and of a server that only reads. */
const refusals = /^(?:53100|58030|25006)$/;
const rememberedMs = 60_000;

/**
 * Counts the writes that PostgreSQL refused. It still answers reads, so a ping does not show it, and neither
 * does a small write: a full disk still takes rows that fit into an existing page.
 */
export class WriteRefusals {
  readonly #clock: () => number;
  #total = 0;
  #lastAtMs = -Infinity;

  /** @param clock milliseconds, monotonic. Defaults to `performance.now` */
  constructor(clock = () => performance.now()) {
    this.#clock = clock;
  }

  /** Statements that were refused since the start. */
  get total(): number {
    return this.#total;
  }

  /** Takes the SQLSTATE of an error that PostgreSQL sent. */
  observe(sqlState: string): void {
    if (!refusals.test(sqlState)) return;
    this.#total += 1;
    this.#lastAtMs = this.#clock();
  }

  /** Rejects with WritesRefused if a statement was refused within the last minute. */
  check(): Promise<void> {
    if (this.#clock() - this.#lastAtMs >= rememberedMs) return Promise.resolve();
    return Promise.reject(new WritesRefused('PostgreSQL refused a write within the last minute.'));
  }
}

/** PostgreSQL answers, but has recently refused to write. */
export class WritesRefused extends Error {
  override readonly name = 'WritesRefused';
}

/** Waits for the right to use one connection. Resolves with a function that releases it. */
export type AcquireConnection = () => Promise<() => void>;

/** Runs `work` with the right to use one connection. */
async function withConnection<T>(acquire: AcquireConnection, work: () => Promise<T>): Promise<T> {
  const release = await acquire();
  try {
    return await work();
  } finally {
    release();
  }
}

/** Returns a view of the data source for one of its users: TypeORM's queries first wait for `acquire`. */
function bulkheadFor(dataSource: DataSource, acquire: AcquireConnection): DataSource {
  const createQueryRunner = (mode?: ReplicationMode) =>
    acquireOnConnect(dataSource.createQueryRunner(mode), acquire);
  return Object.create(dataSource, {
    createQueryRunner: { value: createQueryRunner },
  }) as DataSource;
}

function acquireOnConnect(runner: QueryRunner, acquire: AcquireConnection): QueryRunner {
  const connect = runner.connect.bind(runner);
  const release = runner.release.bind(runner);
  let acquired: ReturnType<AcquireConnection> | undefined;
  return Object.assign(runner, {
    async connect(): Promise<unknown> {
      acquired ??= acquire();
      await acquired;
      return connect() as Promise<unknown>;
    },
    async release(): Promise<void> {
      const slot = acquired;
      acquired = undefined;
      try {
        await release();
      } finally {
        // A rejected user holds no slot.
        await slot?.then(
          (release) => release(),
          () => undefined,
        );
      }
    },
  });
}

/** A statement that a transaction sends together with its COMMIT. */
interface LastQuery {
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
 * Begins a transaction in one round trip: reads the clock, tries the lock, then runs `firstQuery`.
 * @throws LockNotAvailable when another session holds the lock
 */
async function begin(
  client: PoolClient,
  lock: bigint | undefined,
  firstQuery: Query | undefined,
): Promise<Pick<Tx, 'now' | 'firstRows'>> {
  // One round trip: a simple query with several statements returns one result for each.
  const text =
    lock === undefined
      ? `${beginStatement}; SELECT now() AS now, true AS locked`
      : `${beginStatement}; SELECT now() AS now, pg_try_advisory_xact_lock(${BigInt.asIntN(64, lock)}) AS locked`;

  holdUntilNextTick(client);

  // A separate statement after the lock, although it does not wait for it.
  const [results, rows] = await Promise.all([
    client.query(text) as unknown as Promise<
      [QueryArrayResult, QueryResult<{ now: Date; locked: boolean }>]
    >,
    firstQuery ? run(client, firstQuery.statement, firstQuery.values) : [],
  ]);

  const [row] = results[1].rows;
  if (!row) throw new Error('now() returned no row');
  if (!row.locked) throw new LockNotAvailable();

  return { now: row.now, firstRows: rows };
}

/** Runs the last statements and commits, in one round trip. If one fails, PostgreSQL rolls back. */
async function commit(client: PoolClient, last: readonly LastQuery[]): Promise<void> {
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
function holdUntilNextTick(client: PoolClient): void {
  const { stream } = internalsOf(client).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Members of a pg client that its types do not declare. */
interface ClientInternals {
  /** The statement that waits for a response. */
  _getActiveQuery(): object | null;
  readonly connection: {
    readonly stream: { cork(): void; uncork(): void; destroy(): void };
  };
  end(): Promise<void>;
}

const internalsOf = (client: PoolClient) => client as unknown as ClientInternals;

/** How long PostgreSQL may take to close a connection, in milliseconds. */
const closeTimeoutMs = 1_000;

/**
 * Closes a connection with a statement in flight before the pool hands it to another user, who
 * would wait for that statement. TypeORM releases a connection without the error that it met.
 */
function closeIfUnresponsive(client: PoolClient): void {
  if (internalsOf(client)._getActiveQuery()) void closeClient(client);
}

/**
 * Rolls back the transaction that failed with `error`; never throws. Closes the connection instead,
 * so it is not used again, in three cases:
 * - It cannot roll back. PostgreSQL does so when the connection closes.
 * - It did not respond in time. ROLLBACK would wait behind the statement.
 * - It is read-only. Another server may be the primary by now, and a session setting stays as long
 *   as the connection.
 */
async function rollBack(client: PoolClient, error: unknown): Promise<void> {
  try {
    if (isReadTimeout(error) || isReadOnly(error)) throw error;
    await client.query('ROLLBACK');
  } catch {
    // Waits, so that the pool opens no replacement before this connection is closed.
    await closeClient(client);
  }
}

async function closeClient(client: PoolClient): Promise<void> {
  const { connection } = internalsOf(client);
  const late = setTimeout(() => connection.stream.destroy(), closeTimeoutMs);
  await internalsOf(client)
    .end()
    .catch(() => undefined);
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
