import 'reflect-metadata';
import pg = require('pg');
import typeorm = require('typeorm');
import { entities } from './entities.js';
import { migrations } from './migrations/index.js';
import { SnakeCaseNaming } from './naming.js';
import { type ServerSettings, withServerSettings } from './with-server-settings.js';

/** How a process connects to PostgreSQL. */
export interface ConnectionOptions {
  readonly url: string;
  /** Connections at most. */
  readonly pool: number;
  /** Shows in pg_stat_activity; begins with `signalpost`. */
  readonly applicationName: string;
  /** A statement running longer is cancelled; 0 for none (migrations). */
  readonly statementTimeoutMs?: number;
  /** A statement waits as long for a lock, in milliseconds; 5,000, or 0 for no limit where statements have none. */
  readonly lockTimeoutMs?: number;
  /** Migrations; those of this build unless they are given. */
  readonly migrations?: typeof migrations;
  /** Told of connections that break while nobody uses them; the pool replaces them. */
  readonly onIdleError?: (error: Error) => void;
  /** Beside the common ones, for every connection. */
  readonly serverSettings?: ServerSettings;
}

/** The TypeORM data source, not connected yet; it never changes the schema by itself. */
export function createDataSource(options: ConnectionOptions): typeorm.DataSource {
  return new typeorm.DataSource({
    type: 'postgres',
    url: withServerSettings(options.url, options.serverSettings),
    applicationName: options.applicationName,
    entities,
    migrations: options.migrations ?? migrations,
    migrationsTableName: 'migration',
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeCaseNaming(),
    synchronize: false,
    installExtensions: false,
    logging: false,
    // The other ones print failed migrations, which we tell ourselves.
    logger: 'debug',
    poolSize: options.pool,
    connectTimeoutMS: 5_000,
    extra: {
      max: options.pool,
      // The first after a quiet time waits neither for a new one nor for what that would read and plan first.
      min: 1,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      ...(options.statementTimeoutMs !== 0 && {
        // PostgreSQL's own limits do not help when it is paused or its host has vanished.
        query_timeout: (options.statementTimeoutMs ?? 10_000) + 2_000,
      }),
      // A vanished host must not keep a transaction, and with it an idempotency key, alive (H48).
      statement_timeout: options.statementTimeoutMs ?? 10_000,
      lock_timeout: options.lockTimeoutMs ?? (options.statementTimeoutMs === 0 ? 0 : 5_000),
      idle_in_transaction_session_timeout: 15_000,
      connectionTimeoutMillis: 5_000,
      types: { getTypeParser },
      // It may break in the moment it is handed over, when nobody listens: the process would end.
      // Whoever uses it then is told by the statement.
      onConnect: (client: pg.Client) => void client.on('error', () => undefined),
    },
    poolErrorHandler: (error: Error) => options.onIdleError?.(error),
  });
}

type ParserLookup = (oid: number, format: 'text' | 'binary') => (value: string) => unknown;

const int8 = 20;

/** 64-bit integers are money and counts here: numbers, and an error rather than a wrong digit. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === int8 && format !== 'binary') return parseSafeInteger;
  return (pg.types.getTypeParser as ParserLookup)(oid, format ?? 'text');
}

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`);
  return value;
}
