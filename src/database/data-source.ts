// How TypeORM connects, names and maps. Only this file loads TypeORM, and `migrate` loads it late.
import 'reflect-metadata';
import pg = require('pg');
import typeorm = require('typeorm');
import { DatabaseClient } from './connection.js';
import { hostUrls, type ServerSettings, withServerSettings } from './address.js';
import { migrations } from './generated/migrations.js';
import { snakeCase } from '../domain/transaction/sql.js';
import { Account, Credential, Member } from '../domain/account/account.entity.js';
import { AuditEntry } from '../domain/audit/audit-entry.entity.js';
import { Checkout } from '../domain/checkout/checkout.entity.js';
import { Invoice, Order, Payment, Refund } from '../domain/payment/ledger.entity.js';
import {
  FullAccount,
  FullAccountCount,
  IsolationLock,
  Lease,
  PendingDelivery,
  DeliveryEvidence,
  Delivery,
  DeliveryStatistics,
} from '../domain/delivery/delivery.entity.js';
import { EndpointRate, EndpointSecret, Endpoint } from '../domain/endpoint/endpoint.entity.js';
import { ErasureSubject, Erasure } from '../domain/erasure/erasure.entity.js';
import { EventType, EventTypeVersion } from '../domain/event-type/event-type.entity.js';
import { Event, PublishKey } from '../domain/event/event.entity.js';
import { IdempotencyRecord } from '../domain/idempotency/idempotency-records.js';
import { Notice } from '../domain/notice/notice.entity.js';
import { Offer } from '../domain/offer/offer.entity.js';
import { PortalLink, PortalSession, PortalSettings } from '../domain/portal/portal.entity.js';
import { Recovery } from '../domain/recovery/recovery.entity.js';
import {
  MemberIdentity,
  OperatorSession,
  Session,
  SignInLink,
} from '../domain/session/session.entity.js';
import { StreamProcess, StreamSlot } from '../domain/stream/slots.js';
import { TestEventBytes } from '../domain/test-event/test-event.js';
import { WorkerHeartbeat } from '../domain/worker/heartbeats.js';
import { Check, Column, Entity, PrimaryColumn } from '../domain/transaction/typeorm.js';

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

/**
 * Names tables and columns in snake_case, entities and properties in camelCase, and foreign keys as
 * PostgreSQL does.
 */
class SnakeCaseNaming extends typeorm.DefaultNamingStrategy {
  override tableName(className: string, customName?: string): string {
    return customName ?? snakeCase(className);
  }

  override columnName(
    property: string,
    customName: string | undefined,
    prefixes: string[],
  ): string {
    return snakeCase([...prefixes, customName ?? property].join('_'));
  }

  override foreignKeyName(table: typeorm.Table | string, columns: string[]): string {
    return `${this.getTableName(table)}_${columns.join('_')}_fkey`;
  }
}

/** Which older versions may run on this schema (ADR 0052); one row. */
@Entity('schema_compatibility')
@Check('schema_compatibility_id_check', 'id')
class SchemaCompatibility {
  @PrimaryColumn({ type: 'boolean', default: true })
  id!: boolean;

  /** Name of the last migration that a version must know. */
  @Column({ type: 'text', collation: 'C' })
  oldest!: string;
}

/** All entities, as a list and not a glob, so that every build has the same. */
const entities: (new () => object)[] = [
  Account,
  Credential,
  Member,
  Checkout,
  Invoice,
  Order,
  Payment,
  Refund,
  EndpointRate,
  EndpointSecret,
  Endpoint,
  EventType,
  EventTypeVersion,
  Event,
  PublishKey,
  PendingDelivery,
  Lease,
  Delivery,
  DeliveryEvidence,
  FullAccount,
  FullAccountCount,
  IsolationLock,
  DeliveryStatistics,
  IdempotencyRecord,
  Notice,
  Offer,
  Recovery,
  Erasure,
  ErasureSubject,
  MemberIdentity,
  Session,
  OperatorSession,
  SignInLink,
  PortalLink,
  PortalSession,
  PortalSettings,
  StreamProcess,
  StreamSlot,
  WorkerHeartbeat,
  AuditEntry,
  SchemaCompatibility,
  TestEventBytes,
];

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
