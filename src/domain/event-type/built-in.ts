/** A JSON Schema, or a part of one that is an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

let schemas: ReadonlyMap<string, JsonSchema> | undefined;
let types: ReadonlySet<string> = new Set();

/**
 * Provides the schemas that come with the service, once, before anything else is done. The domain reads no
 * files, and these schemas are the same for every account.
 * @param given schemas by `<type>/<version>`, as receivers see them
 */
export function provideBuiltInSchemas(given: Readonly<Record<string, JsonSchema>>): void {
  schemas = new Map(Object.entries(given));
  types = new Set([...schemas.keys()].map((name) => name.slice(0, name.lastIndexOf('/'))));
}

/** Lists the schemas that come with the service, by `<type>/<version>`. */
export function builtInSchemas(): ReadonlyMap<string, JsonSchema> {
  if (!schemas) throw new Error('The schemas of events were not provided.');
  return schemas;
}

/** Finds the schema of a type that comes with the service, as receivers see it. */
export function builtInSchema(type: string, version: string): JsonSchema | undefined {
  return builtInSchemas().get(`${type}/${version}`);
}

/** Whether the service comes with a schema of this type. Only a release changes it. */
export function hasBuiltInSchema(type: string): boolean {
  builtInSchemas();
  return types.has(type);
}
