import { registerEnumType } from './type-graphql.js';

/** An enum whose values are their names. */
type Enum<Name extends string> = { readonly [Each in Name]: Each };

/** Makes an enum of the schema from a list of the domain. */
export function enumType<Name extends string>(
  name: string,
  names: readonly Name[],
  options: { readonly description?: string } = {},
): Enum<Name> {
  const made = Object.fromEntries(names.map((each) => [each, each])) as Enum<Name>;
  registerEnumType(made, { name, ...options });
  return made;
}
