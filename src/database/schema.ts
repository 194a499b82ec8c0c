// Which migrations a database has, and whether this build may run on them (ADR 0052).
import type { ClientBase, Pool } from 'pg';
import { migrations } from './generated/migrations.js';

/** How an operator migrates: an installation has the first command, a clone also the second. */
export const migrateCommand = '"signalpost-server migrate" (in a clone "npm run migrate")';

/**
 * The last migration that a version must know to run on the schema of this build. It moves when a
 * migration takes away or changes what earlier versions use.
 */
export const oldestCompatible = 'SchemaCompatibility1795467600000';

/**
 * Compares the migrations of the database with those of this build. A newer version may have migrated
 * the database, if it says that this build may run on it.
 * @throws SchemaMismatch when some are missing or unknown
 * @throws UnsupportedSchema when the first one is another
 */
export async function checkSchema(database: ClientBase | Pool): Promise<void> {
  const advice = `Run ${migrateCommand} of this version.`;
  const applied = await appliedIn(database);
  if (applied === undefined) throw new SchemaMismatch(`The database has no schema yet. ${advice}`);
  await refuseUnknown(database, applied, known());
  if (applied.length < known().length) {
    const at = applied.at(-1) ?? 'nothing';
    const wanted = known().at(-1) ?? '';
    throw new SchemaMismatch(`The schema is at "${at}", not at "${wanted}". ${advice}`);
  }
}

/**
 * Throws if the database has migrations that are not in `wanted`, unless a newer version says that a
 * build with `wanted` may run on it.
 * @throws UnsupportedSchema when its first one is another
 * @throws SchemaMismatch when it has others
 */
export async function refuseUnknown(
  database: ClientBase | Pool,
  applied: readonly string[],
  wanted: readonly string[],
): Promise<void> {
  const [first] = applied;
  if (first !== undefined && first !== wanted[0]) {
    const { rows } = await database.query<{ name: string }>('SELECT current_database() AS name');
    throw new UnsupportedSchema(first, `The database ${rows[0]?.name ?? ''}`);
  }

  const unknown = applied.filter((name, index) => name !== wanted[index]);
  if (unknown.length === 0) return;

  const isNewer = unknown.length === applied.length - wanted.length;
  if (isNewer && wanted.includes(await oldestIn(database))) return;

  throw new SchemaMismatch(
    `A newer version has migrated the database: this one does not know ${unknown.join(', ')}. ` +
      'Start the newer version.',
  );
}

/** Returns the applied migrations in order; undefined when there is no schema. */
export async function appliedIn(database: ClientBase | Pool): Promise<string[] | undefined> {
  const { rows } = await database.query<{ found: boolean }>(
    `SELECT to_regclass('migration') IS NOT NULL AS found`,
  );
  if (!rows[0]?.found) return undefined;
  const applied = await database.query<{ name: string }>('SELECT name FROM migration ORDER BY id');
  return applied.rows.map(({ name }) => name);
}

function known(): string[] {
  return migrations.map(({ name }) => name);
}

/**
 * Notes the oldest version that may run on the schema, if it has the table for it.
 * @param oldest see {@link oldestCompatible}
 */
export async function noteOldest(database: ClientBase | Pool, oldest: string): Promise<void> {
  if (!(await hasCompatibility(database))) return;
  await database.query(
    `insert into schema_compatibility (oldest) values ($1)
       on conflict (id) do update set oldest = excluded.oldest
                     where schema_compatibility.oldest <> excluded.oldest`,
    [oldest],
  );
}

/** Returns what {@link noteOldest} noted; an empty text when a version before it migrated. */
async function oldestIn(database: ClientBase | Pool): Promise<string> {
  if (!(await hasCompatibility(database))) return '';
  const { rows } = await database.query<{ oldest: string }>(
    'select oldest from schema_compatibility',
  );
  return rows[0]?.oldest ?? '';
}

async function hasCompatibility(database: ClientBase | Pool): Promise<boolean> {
  const { rows } = await database.query<{ found: boolean }>(
    `select to_regclass('schema_compatibility') is not null as found`,
  );
  return rows[0]?.found === true;
}

/** The schema of the database is not the one of this build. */
export class SchemaMismatch extends Error {
  override readonly name: string = 'SchemaMismatch';
}

/**
 * The first migration of the database is not the one of this build, so no migration can upgrade it.
 */
export class UnsupportedSchema extends SchemaMismatch {
  override readonly name = 'UnsupportedSchema';

  /**
   * @param first the first migration of the database
   * @param database how its operator knows it
   * @param nextStep how to get an empty one
   */
  constructor(
    readonly first: string,
    database: string,
    nextStep = 'use an empty database, or an empty DATA_DIR if npm start runs PostgreSQL',
  ) {
    super(
      `${database} was made by Signalpost 1.0.0 or an unreleased version: its first migration is ` +
        `${first}. This version cannot upgrade it and has changed nothing. To begin again, ${nextStep}.`,
    );
  }
}

/** Another session held a lock for too long. The message names it and the next step. */
export class MigrationBlocked extends Error {
  constructor(tries: number, blockers: string) {
    super(
      `The migration failed after ${tries} tries: ${blockers} holds a lock that it needs. ` +
        'End that session, for example with select pg_terminate_backend(<process>), ' +
        `then run ${migrateCommand} again. ` +
        'Migrations that were applied stay.',
    );
    this.name = 'MigrationBlocked';
  }
}
