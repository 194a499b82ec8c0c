import { createDataSource } from './data-source.js';
import { createPartitions } from './partitions.js';

// Any constant: one migration run at a time per database.
const migrationLock = 7_276_325_194_823;

/**
 * Brings the schema of `databaseUrl` up to this build and makes the coming partitions.
 * Several at once wait for one another; running it again changes nothing.
 * @returns the names of the migrations that were applied
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const dataSource = await createDataSource({
    url: databaseUrl,
    pool: 2,
    applicationName: 'signalpost-migrate',
    statementTimeoutMs: 0,
  }).initialize();
  const holder = dataSource.createQueryRunner();
  try {
    await holder.query('select pg_advisory_lock($1)', [migrationLock]);
    const applied = await dataSource.runMigrations();
    const [row] = (await holder.query('select now() as now')) as [{ now: Date }];
    await createPartitions((text) => holder.query(text), row.now);
    return applied.map(({ name }) => name);
  } finally {
    await holder.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => undefined);
    await holder.release();
    await dataSource.destroy();
  }
}
