import pg from 'pg';
import { migrations } from '../src/database/generated/migrations.js';
import { createDataSource } from '../src/database/data-source.js';
import { lockWaitMs, retryLocked } from '../src/database/migrate.js';
import { startCluster } from '../test/support/cluster.js';
import { MigrationRows } from './migration-rows.js';

/** One migration on full tables, beside sessions that write. */
export interface MigrationFigures {
  readonly name: string;
  readonly seconds: number;
  /** What others wrote meanwhile, and the longest that one of them took, in which table. */
  readonly writes: number;
  readonly longestMs: number;
  readonly longestIn: string;
}

/** A longer wait of a write breaks the promise about upgrades. */
const mostWaitMs = 1_000;

/** Names each migration beside which a write waited for longer. Then the process exits with 1. */
export function reportSlow(
  figures: readonly MigrationFigures[],
  progress: (line: string) => void,
): void {
  for (const { name, longestMs, longestIn } of figures.filter(
    (each) => each.longestMs > mostWaitMs,
  )) {
    progress(
      `FAILED: a write to ${longestIn} beside ${name} took ${Math.round(longestMs)} ms, more than ${mostWaitMs}`,
    );
    process.exitCode = 1;
  }
}

const writers = 4;

/**
 * Applies each migration after the first while others write. Every table that it changes has `rows` rows,
 * but for tables that stay small: event types and heartbeats of workers.
 */
export async function benchMigrations(
  rows: number,
  progress: (line: string) => void,
): Promise<MigrationFigures[]> {
  const cluster = await startCluster({ durable: true });
  const url = cluster.url('postgres');
  const pool = new pg.Pool({ connectionString: url, max: writers + 1 });

  // Connections end with the server.
  pool.on('error', () => undefined);

  try {
    await apply(url, 1);
    // One for all rows: the most that an index of a partition ever covers.
    for (const table of ['event', 'delivery'])
      await pool.query(
        `create table ${table}_all partition of ${table} for values from (minvalue) to (maxvalue)`,
      );

    const tables = new MigrationRows(pool, rows);
    const each = `${rows.toLocaleString('en')} rows each`;

    await tables.fillFirst();
    progress(`first tables: ${each}`);

    const figures: MigrationFigures[] = [];
    for (let count = 2; count <= migrations.length; count += 1) {
      const name = migrations[count - 1]?.name ?? '';
      figures.push({ name, ...(await besideWriters(pool, tables, () => apply(url, count))) });
      progress(name);
      for (const table of await tables.fillLater()) progress(`${table}: ${each}`);
    }

    return figures;
  } finally {
    await pool.end();
    await cluster.stop();
  }
}

/** Applies the first `count` migrations, as `migrate` does with all of them. */
function apply(url: string, count: number): Promise<void> {
  const applicationName = 'signalpost-migrate';
  return retryLocked(url, applicationName, async () => {
    const dataSource = await createDataSource({
      url,
      pool: 2,
      applicationName,
      statementTimeoutMs: 0,
      lockTimeoutMs: lockWaitMs,
      migrations: migrations.slice(0, count),
    }).initialize();
    try {
      await dataSource.runMigrations();
    } finally {
      await dataSource.destroy();
    }
  });
}

/** Runs `work` while sessions write to all full tables, one after the other each. */
async function besideWriters(
  pool: pg.Pool,
  tables: MigrationRows,
  work: () => Promise<unknown>,
): Promise<Omit<MigrationFigures, 'name'>> {
  let writes = 0;
  let longestMs = 0;
  let longestIn = '';
  let ended = false;
  const clients = await Promise.all(Array.from({ length: writers }, () => pool.connect()));
  try {
    // The first writes of a session also wait for the catalogue to be read. No migration causes that.
    await Promise.all(clients.map((client) => tables.write(client, () => undefined)));

    const startedAt = performance.now();
    const writing = clients.map(async (client) => {
      while (!ended) {
        await tables.write(client, (table, tookMs) => {
          writes += 1;
          if (tookMs > longestMs) {
            longestMs = tookMs;
            longestIn = table;
          }
        });
      }
    });
    try {
      await work();
    } finally {
      ended = true;
      await Promise.all(writing);
    }

    return { seconds: (performance.now() - startedAt) / 1_000, writes, longestMs, longestIn };
  } finally {
    for (const client of clients) client.release();
  }
}
