type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The members of a `/v1` object with the domain's names. */
export type CamelCased<Members> = {
  [Name in keyof Members as CamelCase<Name>]: Members[Name];
};

/** Renames the members of a body to the domain's names. An absent member stays absent. */
export function camelCased<Members extends object>(members: Members): CamelCased<Members> {
  const entries = Object.entries(members).map(([name, value]) => [
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value as unknown,
  ]);
  return Object.fromEntries(entries) as CamelCased<Members>;
}
