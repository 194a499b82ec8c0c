import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { DatabaseClient } from '../../src/database/connection.js';
import { Database, type DatabaseOptions } from '../../src/database/database.js';
import { migrateAll } from '../../src/process/migrate-all.js';
import { Sealer } from '../../src/domain/values/sealer.js';
import type { DomainRules } from '../../src/domain/transaction/rules.js';
import { cluster, type Cluster } from './cluster.js';
import { eventually } from './eventually.js';

const templates = new WeakMap<Cluster, Promise<string>>();

/** The database of one test file, cloned from a migrated template. */
export interface TestDatabase {
  readonly url: string;
  /** Opens it for the domain; {@link drop} closes it. */
  open(options?: Partial<DatabaseOptions>): Promise<Database>;
  /** Runs SQL as the superuser, for setup and assertions. */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Runs SQL and keeps its transaction, with all locks, open until `release`. */
  hold(text: string): Promise<{ release(): Promise<void> }>;
  drop(): Promise<void>;
}

/**
 * Creates a {@link TestDatabase}; call `drop` in `after`.
 * @param own the cluster of the database; defaults to the shared cluster of the test run
 * @param options start-up options of PostgreSQL for the connections of `query`
 * @param template the database to clone; defaults to one with the present schema
 */
export async function createTestDatabase(
  own?: Cluster,
  options = '',
  template?: string,
): Promise<TestDatabase> {
  const server = own ?? (await cluster());
  const source = template ?? (await migratedTemplate(server));
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(server, (client) => client.query(`create database ${name} template ${source}`));

  const url = server.url(name);
  const opened: Database[] = [];
  const held = new Set<pg.PoolClient>();
  const pool = new pg.Pool({ Client: DatabaseClient, connectionString: url, max: 3, options });

  // `end` resolves before its connections are closed; dropping the database then breaks them.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);

  return {
    url,
    async open(options = {}) {
      const database = await Database.open({
        url,
        pool: 5,
        applicationName: 'signalpost-test',
        rules: testRules(),
        ...options,
      });
      opened.push(database);
      return database;
    },
    async query<Row extends object>(text: string, values: unknown[] = []) {
      return (await pool.query<Row>(text, values)).rows;
    },
    async hold(text) {
      const client = await pool.connect();
      held.add(client);
      await client.query(`begin; ${text}`);
      return {
        async release() {
          held.delete(client);
          await client.query('rollback');
          client.release();
        },
      };
    },
    async drop() {
      await Promise.all(opened.map((database) => database.close()));
      // A failed test may have left a client, for which the pool would wait indefinitely.
      for (const client of held) client.release(true);
      await pool.end();

      await asAdmin(server, async (client) => {
        // Pools close before their connections do. Breaking those would end the test run.
        await eventually(
          async () => {
            const { rows } = await client.query('select from pg_stat_activity where datname = $1', [
              name,
            ]);
            if (rows.length > 0) throw new Error(`${rows.length} connections are left`);
          },
          'the database has no connections',
          10_000,
        ).catch(() => undefined);
        await client.query(`drop database ${name} with (force)`);
      });
    },
  };
}

/** Returns the rules of the domain with a fixed key ring and fixed jitter; `changes` override them. */
export function testRules(changes: Partial<DomainRules> = {}): DomainRules {
  return {
    sealer: new Sealer([{ id: 'k1', key: Buffer.alloc(32, 7) }]),
    privateTargets: { kind: 'none' },
    cursorKeys: [Buffer.alloc(32, 9)],
    linkKeys: [Buffer.alloc(32, 11)],
    baseUrl: 'https://api.example',
    retry: {
      delaysMs: [
        5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000,
        86_400_000,
      ],
      otherDelaysMs: new Map([['fast', [1_000, 2_000]]]),
      jitter: 0.1,
      disableAfterMs: 432_000_000,
      disableAfterFailures: 10,
    },
    endpointsPerAccount: 1_000,
    operatorAccount: undefined,
    signInByProviderOnly: false,
    random: () => 0.5,
    ...changes,
  };
}

function migratedTemplate(server: Cluster): Promise<string> {
  const template = templates.get(server) ?? makeTemplate(server);
  templates.set(server, template);
  return template;
}

async function makeTemplate(server: Cluster): Promise<string> {
  const name = 'template_signalpost';
  await asAdmin(server, (client) => client.query(`create database ${name}`));
  await migrateAll(server.url(name));
  return name;
}

async function asAdmin<T>(server: Cluster, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new DatabaseClient({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
