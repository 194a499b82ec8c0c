import { fill, text } from '../../texts/text.js';

const texts = text.eventTypes;

/** A JSON Schema, or a part of one. */
type Schema = Readonly<Record<string, unknown>>;

/** A rule for a value, besides its type. */
export interface SchemaRule {
  readonly kind:
    | 'const'
    | 'enum'
    | 'format'
    | 'pattern'
    | 'minimum'
    | 'maximum'
    | 'minLength'
    | 'maxLength'
    | 'minItems'
    | 'maxItems';
  readonly value: string;
}

/** A member of the data of an event. */
export interface SchemaRow {
  /** Names from the top, such as `line_items[].name`. */
  readonly path: string;
  readonly depth: number;
  readonly name: string;
  /** JSON types; empty for any value. */
  readonly types: readonly string[];
  readonly required: boolean;
  readonly description: string | undefined;
  readonly rules: readonly SchemaRule[];
}

/** An operator's schema can be large, and one that refers to itself never ends. */
const maxRows = 1_000;
const maxDepth = 12;

const ruleNames = [
  'const',
  'enum',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
] as const;

/** Lists the members that a schema describes, each followed by its own members. At most 1,000. */
export function schemaRows(schema: unknown): readonly SchemaRow[] {
  const root = asSchema(schema);
  const definitions = asSchema(root['$defs']);
  const rows: SchemaRow[] = [];

  const addMembers = (container: Schema, path: string, depth: number) => {
    const required = new Set(listOf(container['required']));
    for (const [name, inner] of Object.entries(asSchema(container['properties']))) {
      add(inner, {
        name,
        required: required.has(name),
        path: path ? `${path}.${name}` : name,
        depth,
      });
    }
  };

  const add = (
    member: unknown,
    place: Pick<SchemaRow, 'name' | 'required' | 'path' | 'depth'>,
  ): void => {
    if (rows.length >= maxRows || place.depth > maxDepth) return;

    const value = resolve(asSchema(member), definitions);
    const items = itemsOf(value, definitions);
    const types = typesOf(value).map((type) =>
      type === 'array' && items
        ? fill(texts.arrayOf, { types: typesOf(items).join(texts.or) || texts.anyValue })
        : type,
    );

    rows.push({
      ...place,
      types,
      description: typeof value['description'] === 'string' ? value['description'] : undefined,
      rules: [...rulesOf(value), ...(items ? rulesOf(items) : [])],
    });

    addMembers(value, place.path, place.depth + 1);
    if (items) addMembers(items, `${place.path}[]`, place.depth + 1);
  };

  addMembers(resolve(root, definitions), '', 0);

  return rows;
}

/** Follows references, and joins the parts of `allOf` and of alternatives such as "object or null". */
function resolve(schema: Schema, definitions: Schema, left = maxDepth): Schema {
  if (left === 0) return schema;

  const { $ref, allOf, anyOf, oneOf, ...rest } = schema;
  const name = typeof $ref === 'string' ? $ref.replace(/^#\/\$defs\//, '') : undefined;
  const target = name === undefined ? [] : [definitions[name]];
  const parts = [...target, ...arrayOf(allOf)].map((part) =>
    resolve(asSchema(part), definitions, left - 1),
  );
  const joined = [rest, ...parts].reduce<Schema>(join, {});
  const options = [...arrayOf(anyOf), ...arrayOf(oneOf)].map((part) =>
    resolve(asSchema(part), definitions, left - 1),
  );
  if (options.length === 0) return joined;

  const types = [...new Set(options.flatMap(typesOf))];

  // A member is required only if every alternative requires it.
  const properties = options.reduce(
    (all, option) => ({ ...all, ...asSchema(option['properties']) }),
    {},
  );

  const containers = options.filter((option) => typesOf(option).includes('object'));
  const required = listOf(containers[0]?.['required']).filter((member) =>
    containers.every((option) => listOf(option['required']).includes(member)),
  );
  const items = options.find((option) => option['items'] !== undefined)?.['items'];
  return join(joined, {
    ...(types.length > 0 && { type: types }),
    properties,
    required,
    ...(items !== undefined && { items }),
  });
}

function join(one: Schema, other: Schema): Schema {
  return {
    ...other,
    ...one,
    properties: { ...asSchema(other['properties']), ...asSchema(one['properties']) },
    required: [...listOf(one['required']), ...listOf(other['required'])],
  };
}

function typesOf(schema: Schema): readonly string[] {
  const type = schema['type'];
  return typeof type === 'string' ? [type] : listOf(type);
}

function itemsOf(schema: Schema, definitions: Schema): Schema | undefined {
  const items = schema['items'];
  return typeof items === 'object' && items !== null
    ? resolve(asSchema(items), definitions)
    : undefined;
}

function rulesOf(schema: Schema): readonly SchemaRule[] {
  return ruleNames
    .filter((kind) => schema[kind] !== undefined)
    .map((kind) => ({ kind, value: ruleValue(schema[kind]) }));
}

function ruleValue(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(item)).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Schema)
    : {};
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function listOf(value: unknown): readonly string[] {
  return arrayOf(value).filter((item) => typeof item === 'string');
}
