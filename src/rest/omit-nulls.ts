/** The part of a JSON Schema that this file reads. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
}

/** Changes a value in place. */
type Omit = (value: unknown) => void;

/**
 * Makes the function that removes nulls from a response where the contract says "optional, and not
 * null". Other nulls stay. Undefined when this schema has no such member.
 */
export function compileOmitNulls(schema: Schema): Omit | undefined {
  const { items, oneOf, properties } = schema;
  if (items) return omitInItems(items);
  if (oneOf) return omitInAll(oneOf.map(compileOmitNulls));
  return properties && omitInMembers(properties, schema.required ?? []);
}

function omitInItems(items: Schema): Omit | undefined {
  const omit = compileOmitNulls(items);
  return (
    omit &&
    ((list) => {
      for (const item of list as unknown[]) omit(item);
    })
  );
}

function omitInAll(all: readonly (Omit | undefined)[]): Omit | undefined {
  const some = all.filter((omit) => omit !== undefined);
  if (some.length === 0) return undefined;
  return (value) => {
    for (const omit of some) omit(value);
  };
}

function omitInMembers(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
): Omit | undefined {
  const optionalMembers = Object.entries(properties)
    .filter(([name, member]) => !required.includes(name) && !allowsNull(member))
    .map(([name]) => name);
  const nested = Object.entries(properties).flatMap(([name, member]) => {
    const omit = compileOmitNulls(member);
    return omit ? [{ name, omit }] : [];
  });
  if (optionalMembers.length === 0 && nested.length === 0) return undefined;
  return (value) => {
    if (value === null || typeof value !== 'object') return;
    const object = value as Record<string, unknown>;
    // JSON.stringify skips undefined. Unlike `delete`, it keeps the object's shape.
    for (const name of optionalMembers) if (object[name] === null) object[name] = undefined;
    for (const { name, omit } of nested) omit(object[name]);
  };
}

function allowsNull({ type, oneOf }: Schema): boolean {
  return type === 'null' || (type?.includes('null') ?? false) || (oneOf?.some(allowsNull) ?? false);
}
