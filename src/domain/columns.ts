import type { Statement } from './tx.js';

/** A statement and the names of its values. */
export interface NamedStatement<Name extends string> extends Statement {
  /** The values in the order of their numbers in the text. */
  values(named: Readonly<Record<Name, unknown>>): unknown[];
}

/**
 * Numbers the values of a statement: `text` gets `$1` for the first name, `$2` for the second.
 * Called when a module loads, so that the text is constant and connections keep it prepared.
 */
export function numbered<Name extends string>(
  name: string,
  names: readonly Name[],
  text: (place: Readonly<Record<Name, string>>) => string,
): NamedStatement<Name> {
  const places = names.map((value, index) => [value, `$${index + 1}`] as const);
  return {
    name,
    text: text(Object.fromEntries(places) as Record<Name, string>),
    values: (named) => names.map((value) => named[value]),
  };
}

/** The columns of these properties, for an insert: `id, account_id`. */
export function columnsOf(properties: readonly string[]): string {
  return properties.map(snakeCase).join(', ');
}

/** The same columns by the names of their properties, to be selected: `account_id as "accountId"`. */
export function selectionOf(properties: readonly string[]): string {
  return properties
    .map((property) => {
      const column = snakeCase(property);
      return column === property ? column : `${column} as "${property}"`;
    })
    .join(', ');
}

/** The places of these values: `$1, $2`. */
export function clusterCandidates<Name extends string>(
  names: readonly Name[],
  place: Readonly<Record<Name, string>>,
): string {
  return names.map((name) => place[name]).join(', ');
}

/** Each column set to its value, for an update: `account_id = $2`. */
export function assignmentsOf<Name extends string>(
  properties: readonly Name[],
  place: Readonly<Record<Name, string>>,
): string {
  return properties.map((property) => `${snakeCase(property)} = ${place[property]}`).join(', ');
}

/** The column of a property. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
