// Parts of SQL statements.
import type { Statement, Tx } from './tx.js';

/** A statement with named values. */
interface NamedStatement<Name extends string> extends Statement {
  /** The values in the order of their numbers in the text. */
  values(named: Readonly<Record<Name, unknown>>): unknown[];
}

/**
 * Numbers the values of a statement: `text` gets `$1` for the first name, `$2` for the second.
 * Call it when a module loads: the text is then constant, and connections keep it prepared.
 */
export function numbered<Name extends string>(
  name: string,
  names: readonly Name[],
  text: (placeholder: Readonly<Record<Name, string>>) => string,
): NamedStatement<Name> {
  const placeholders = names.map((value, index) => [value, `$${index + 1}`] as const);
  return {
    name,
    text: text(Object.fromEntries(placeholders) as Record<Name, string>),
    values: (named) => names.map((value) => named[value]),
  };
}

/** Lists the columns of these properties for an insert: `id, account_id`. */
export function columnsOf(properties: readonly string[]): string {
  return properties.map(snakeCase).join(', ');
}

/** Lists the same columns for a select, under their properties' names: `account_id as "accountId"`. */
export function selectionOf(properties: readonly string[]): string {
  return properties
    .map((property) => {
      const column = snakeCase(property);
      return column === property ? column : `${column} as "${property}"`;
    })
    .join(', ');
}

/** Lists the placeholders of these values: `$1, $2`. */
export function placeholdersOf<Name extends string>(
  names: readonly Name[],
  placeholder: Readonly<Record<Name, string>>,
): string {
  return names.map((name) => placeholder[name]).join(', ');
}

/** Sets each column to its value, for an update: `account_id = $2`. */
export function assignmentsOf<Name extends string>(
  properties: readonly Name[],
  placeholder: Readonly<Record<Name, string>>,
): string {
  return properties
    .map((property) => `${snakeCase(property)} = ${placeholder[property]}`)
    .join(', ');
}

/** Returns the name of the column of a property: `account_id` for `accountId`. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** An element of an array that is a parameter of a statement. */
export type ArrayValue = string | number | boolean | null;

/** Text that needs no quotes in an array. NULL without quotes would mean null. */
const plain = /^(?!null$)[\w.:+-]+$/i;

/**
 * Returns an array in PostgreSQL's text form (section 8.15.6 of its manual). It quotes only what needs quotes: ids,
 * numbers and times do not, so this takes a fraction of the time of the driver's conversion.
 */
export function arrayLiteral(values: readonly ArrayValue[]): string {
  return `{${values.map(element).join(',')}}`;
}

function element(value: ArrayValue): string {
  if (value === null) return 'NULL';
  if (typeof value !== 'string') return String(value);
  return plain.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/**
 * In SQL: true, and makes the commit wait for the synchronous standby by writing to the write-ahead log. Select it with
 * the row of a key: the commit that stored the row may not have waited, so that the row is visible although the
 * standby does not have it.
 */
export const confirmedByStandby = `pg_logical_emit_message(true, 'signalpost', '') is not null`;

/** Deletes at most `limit` rows whose retention has ended. Returns how many it deleted. */
export type Purge = (tx: Tx, limit: number) => Promise<number>;

/**
 * Returns the purge of rows whose time in `column` is at least `age` ago, oldest first. It skips rows that another
 * transaction has locked.
 * @param age an interval in PostgreSQL's syntax: `40 days`
 */
export function purgeOf(table: string, column: string, age = '0'): Purge {
  return purgeBy({
    name: `${table}_purge_${column}`,
    text: `
    delete from ${table} where ctid = any (array(
      select p.ctid from ${table} p where p.${column} <= now() - interval '${age}'
       order by p.${column} limit $1 for update skip locked))
    returning true as purged`,
  });
}

/** Returns the purge that runs a statement, which deletes at most `$1` rows and returns one row for each. */
export function purgeBy(statement: Statement): Purge {
  return async (tx, limit) => (await tx.sql(statement, [limit])).length;
}

/**
 * In SQL: the key of a subject: 128 bits of a hash, so that the row has no personal data of the subject. What
 * recoveries send has keys of its own.
 */
export const subjectKeyOf = (subject: string, kind: 'live' | 'recovery' = 'live') =>
  `encode(substr(sha256(${kind === 'live' ? '' : `'\\x00'::bytea || `}convert_to(${subject}, 'UTF8')), 1, 16), 'hex')::uuid`;

/**
 * In SQL: the number of a row in the order of its subject: one of the sequence for the whole statement, then
 * its place in it.
 */
export const subjectNumberOf = (place: string) =>
  `(select nextval('pending_delivery_subject_number')) * ${placesPerNumber} + ${place}`;

const placesPerNumber = 100_000;
