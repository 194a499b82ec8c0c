import type { Pool, PoolClient } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import type { Actor } from '../domain/actor.js';
import type { DomainRules } from '../domain/rules.js';
import {
  type Read,
  throwIfAborted,
  type Transact,
  type TransactOptions,
  type Tx,
} from '../domain/tx.js';
import type { Wakeup } from '../domain/wakeup.js';
import { bulkheadFor, type AcquireConnection, withConnection } from './bulkhead.js';
import { type ConnectionOptions, createDataSource } from './data-source.js';
import { closeIfUnresponsive, rollBack } from './roll-back.js';
import { checkSchema } from './schema-check.js';
import { WriteRefusals } from './write-refusals.js';
import { begin, commit, holdUntilNextTick, type LastQuery, run } from './round-trips.js';

/** Options of a {@link Database}, in addition to the connection. */
export interface DatabaseOptions extends ConnectionOptions {
  readonly rules: DomainRules;
  /** Who makes the changes of transactions that do not say it. */
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

/**
 * The only access to PostgreSQL: reads, and transactions that send wake-ups and count after the
 * commit. A transaction costs two round trips in addition to its statements. The first reads the
 * clock, tries the lock and runs `first`; the last runs what {@link Tx.commitWith} names and commits.
 */
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
    { actor = this.#options.actor, traceparent, lock, first, signal }: TransactOptions = {},
  ): Promise<T> {
    throwIfAborted(signal);

    const runner = dataSource.createQueryRunner();
    const afterCommit: AfterCommit = { wakeups: [], abandoned: 0, credentialsChanged: false };
    try {
      const client = (await runner.connect()) as PoolClient;
      throwIfAborted(signal);

      try {
        const begun = await begin(client, lock, first);
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
  ): Omit<Tx, 'now' | 'actor' | 'traceparent' | 'first' | 'commitWith'> {
    let failure: Error | undefined;
    return {
      manager,
      rules: this.#options.rules,
      sql: async (statement, values) => {
        holdUntilNextTick(client);
        try {
          return await run(client, statement, values);
        } catch (error) {
          // Of statements sent together, those after the first failure only say that it failed.
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
