import type { Statement } from './tx.js';

/** A statement and the names of its values. */
export interface NamedStatement<Name extends string> extends Statement {
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

/** Turns a property's name into that of its column: `accountId` becomes `account_id`. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
