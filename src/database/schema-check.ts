import type { ClientBase, Pool } from 'pg';
import { migrations } from './migrations/index.js';

/** The schema of the database is not the one this build was made for. */
export class SchemaMismatch extends Error {
  constructor(detail: string) {
    super(`${detail} Run "npm run migrate" of this version.`);
    this.name = 'SchemaMismatch';
  }
}

/**
 * Compares the migrations of the database with those of this build.
 * @throws SchemaMismatch when some are missing or unknown
 */
export async function checkSchema(database: ClientBase | Pool): Promise<void> {
  const applied = await appliedIn(database);
  if (applied === undefined) throw new SchemaMismatch('The database has no schema yet.');
  if (applied.join() !== known().join()) {
    throw new SchemaMismatch(
      `The schema is at "${applied.at(-1) ?? 'nothing'}", not at "${known().at(-1) ?? ''}".`,
    );
  }
}

function known(): string[] {
  return migrations.map(({ name }) => name);
}

/** The migrations that were applied, in their order. Undefined: there is no schema. */
export async function appliedIn(database: ClientBase | Pool): Promise<string[] | undefined> {
  const { rows } = await database.query<{ found: boolean }>(
    `SELECT to_regclass('migration') IS NOT NULL AS found`,
  );
  if (!rows[0]?.found) return undefined;
  const applied = await database.query<{ name: string }>('SELECT name FROM migration ORDER BY id');
  return applied.rows.map(({ name }) => name);
}
