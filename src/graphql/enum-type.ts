import { registerEnumType } from './type-graphql.js';

/** An enum whose values are their names. */
type Enum<Name extends string> = { readonly [Each in Name]: Each };

/**
 * Makes an enum of the schema.
 * @param values a list of the domain; or an object, which compiles only with every name of a union
 */
export function enumType<Name extends string>(
  name: string,
  values: readonly Name[] | Enum<Name>,
  options: { readonly description?: string } = {},
): Enum<Name> {
  const names = Object.values<Name>(values);
  const made = Object.fromEntries(names.map((each) => [each, each])) as Enum<Name>;
  registerEnumType(made, { name, ...options });
  return made;
}
