import 'reflect-metadata';
import pg = require('pg');
import typeorm = require('typeorm');
import { DatabaseClient } from './database-client.js';
import { hostUrls } from './database-hosts.js';
import { entities } from './entities.js';
import { migrations } from './generated/migrations.js';
import { SnakeCaseNaming } from './naming.js';
import { type ServerSettings, withServerSettings } from './with-server-settings.js';

/** How a process connects to PostgreSQL. */
export interface ConnectionOptions {
  readonly url: string;
  /**
   * Whether the URL is one of a pooler in transaction mode. It refuses settings of a connection, so
   * those of the role apply. Defaults to false.
   */
  readonly isPooler?: boolean;
  /** At most this many connections. */
  readonly pool: number;
  /** Shown in pg_stat_activity; begins with `signalpost`. */
  readonly applicationName: string;
  /**
   * PostgreSQL cancels a statement after this time, in milliseconds. Defaults to 10,000; 0 for no
   * limit (migrations).
   */
  readonly statementTimeoutMs?: number;
  /**
   * A statement waits at most this long for a lock, in milliseconds. Defaults to 5,000, or to 0 (no
   * limit) if `statementTimeoutMs` is 0.
   */
  readonly lockTimeoutMs?: number;
  /** Defaults to the migrations of this build. */
  readonly migrations?: typeof migrations;
  /** Called when an idle connection breaks. The pool replaces it. */
  readonly onIdleError?: (error: Error) => void;
  /** Called with the SQLSTATE of each error that PostgreSQL sends. */
  readonly onServerError?: (sqlState: string) => void;
  /** Settings of every connection, in addition to the common ones. */
  readonly serverSettings?: ServerSettings;
}

/** Creates the TypeORM data source, not yet connected. It never changes the schema by itself. */
export function createDataSource(options: ConnectionOptions): typeorm.DataSource {
  const address = options.isPooler
    ? options.url
    : withServerSettings(options.url, options.serverSettings);
  const source = new typeorm.DataSource({
    type: 'postgres',
    // Only a valid URL: the client has its own, which may name several hosts.
    url: hostUrls(address)[0],
    applicationName: options.applicationName,
    entities,
    migrations: options.migrations ?? migrations,
    migrationsTableName: 'migration',
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeCaseNaming(),
    synchronize: false,
    installExtensions: false,
    logging: false,
    // Other loggers print failed migrations, which our commands report already.
    logger: 'debug',
    poolSize: options.pool,
    connectTimeoutMS: 5_000,
    extra: {
      Client: DatabaseClient,
      connectionString: address,
      max: options.pool,
      // Keeps one connection in quiet times. A new one would first read the catalogue and plan.
      min: 1,
      // Statements that need not wait for each other share a round trip.
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      ...(options.statementTimeoutMs !== 0 && {
        // PostgreSQL enforces no limit when it is paused or its host has vanished.
        query_timeout: (options.statementTimeoutMs ?? 10_000) + 2_000,
      }),
      ...(!options.isPooler && timeoutsOf(options)),
      connectionTimeoutMillis: 5_000,
      types: { getTypeParser },
      onConnect: (client: DatabaseClient) => {
        // A connection can break while the pool hands it over. Without a listener that error would
        // end the process. Its next statement reports the error.
        client.on('error', () => undefined);
        if (options.onServerError) client.onServerError(options.onServerError);
      },
    },
    poolErrorHandler: (error: Error) => options.onIdleError?.(error),
  });

  // TypeORM does not know the type of transaction ids, and refuses columns of a type it does not know.
  source.driver.supportedDataTypes.push('xid8' as 'bigint');

  return source;
}

function timeoutsOf({ statementTimeoutMs = 10_000, lockTimeoutMs }: ConnectionOptions) {
  return {
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs ?? (statementTimeoutMs === 0 ? 0 : 5_000),
    // If a host vanishes, this ends its transaction, which may hold an idempotency key.
    idle_in_transaction_session_timeout: 15_000,
  };
}

type ParserLookup = (oid: number, format: 'text' | 'binary') => (value: string) => unknown;

const int8 = 20;

/**
 * Parses a 64-bit integer, which here is money or a count. Throws rather than return a rounded
 * number.
 */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === int8 && format !== 'binary') return parseSafeInteger;
  return (pg.types.getTypeParser as ParserLookup)(oid, format ?? 'text');
}

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`);
  return value;
}
