import { migrate, warmUpMigrations } from './database/migrate.js';
import { migrateQueue } from './queue/migrate.js';

/**
 * Everything of ours in the database of `databaseUrl`: our schema, the coming partitions and the
 * queue's own schema. Several at once wait for one another; running it again changes nothing.
 * @returns the names of our migrations that were applied
 */
export async function migrateAll(databaseUrl: string): Promise<string[]> {
  const applied = await migrate(databaseUrl);
  await migrateQueue(databaseUrl);
  return applied;
}

/** Loads what {@link migrateAll} needs for an empty database, while that is being made. */
export async function warmUp(): Promise<void> {
  await warmUpMigrations();
}
