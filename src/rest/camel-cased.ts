type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The members of an object of `/v1` in the spelling of the domain. */
export type CamelCased<Members> = {
  [Name in keyof Members as CamelCase<Name>]: Members[Name];
};

/** Spells the members of a body as the domain does; an absent member stays absent. */
export function camelCased<Members extends object>(members: Members): CamelCased<Members> {
  const entries = Object.entries(members).map(([name, value]) => [
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value as unknown,
  ]);
  return Object.fromEntries(entries) as CamelCased<Members>;
}
