// A resolver returns null for an absent member. Where the contract has the member as optional and not as null, the
// response leaves it out. What to remove is compiled once for each operation, because every response passes here.

/** The part of a JSON Schema that says where null may be. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
}

/** Removes nulls from a value in place. */
export type StripNulls = (value: unknown) => void;

/**
 * Compiles the function that removes nulls from a response where the contract says "optional, and not null".
 * Other nulls stay.
 * @returns undefined if the schema has no such member
 */
export function compileNullStripper(schema: Schema): StripNulls | undefined {
  const { items, oneOf, properties } = schema;
  if (items) return stripItems(items);
  if (oneOf) return stripAll(oneOf.map(compileNullStripper));
  return properties && stripMembers(properties, schema.required ?? []);
}

function stripItems(items: Schema): StripNulls | undefined {
  const strip = compileNullStripper(items);
  return (
    strip &&
    ((list) => {
      for (const item of list as unknown[]) strip(item);
    })
  );
}

function stripAll(all: readonly (StripNulls | undefined)[]): StripNulls | undefined {
  const strippers = all.filter((strip) => strip !== undefined);
  if (strippers.length === 0) return undefined;
  return (value) => {
    for (const strip of strippers) strip(value);
  };
}

function stripMembers(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
): StripNulls | undefined {
  const optionalMembers = Object.entries(properties)
    .filter(([name, member]) => !required.includes(name) && !allowsNull(member))
    .map(([name]) => name);
  const nested = Object.entries(properties).flatMap(([name, member]) => {
    const strip = compileNullStripper(member);
    return strip ? [{ name, strip }] : [];
  });
  if (optionalMembers.length === 0 && nested.length === 0) return undefined;

  return (value) => {
    if (value === null || typeof value !== 'object') return;
    const object = value as Record<string, unknown>;
    // JSON.stringify skips undefined. Unlike `delete`, it keeps the object's shape.
    for (const name of optionalMembers) if (object[name] === null) object[name] = undefined;
    for (const { name, strip } of nested) strip(object[name]);
  };
}

function allowsNull({ type, oneOf }: Schema): boolean {
  return type === 'null' || (type?.includes('null') ?? false) || (oneOf?.some(allowsNull) ?? false);
}
