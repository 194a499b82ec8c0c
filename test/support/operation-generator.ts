import {
  GraphQLBoolean,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isNonNullType,
  isObjectType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import type { Random } from '../../tools/seed/random.js';

/** One document, and the types of its variables by name. */
interface GeneratedOperation {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: ReadonlyMap<string, GraphQLInputType>;
}

const maxDepth = 3;

/** Generates operations of a schema. Most are valid; some are refused by a rule. */
export class OperationGenerator {
  readonly #random: Random;
  readonly #schema: GraphQLSchema;
  #variables = new Map<string, GraphQLInputType>();
  #definitions: string[] = [];
  #fragments: string[] = [];
  #aliases = 0;

  constructor(schema: GraphQLSchema, random: Random) {
    this.#schema = schema;
    this.#random = random;
  }

  next(): GeneratedOperation {
    this.#variables = new Map();
    this.#definitions = [];
    this.#fragments = [];
    this.#aliases = 0;

    const random = this.#random;
    const kind = random.pick(['query', 'mutation'] as const);
    const root = kind === 'query' ? this.#schema.getQueryType() : this.#schema.getMutationType();
    if (!root) throw new Error(`The schema has no ${kind}.`);

    const selections = [this.#field(root, 0)];
    while (random.boolean(0.15)) selections.push(this.#field(root, 0));
    if (random.boolean(0.05)) selections.push(`... on ${root.name} { ${this.#field(root, 0)} }`);

    if (kind === 'query' && random.boolean(0.05)) {
      selections.push(
        random.pick(['__schema { queryType { name } }', '__type(name: "Thing") { name }']),
      );
    }

    const name = random.boolean(0.7) ? 'op' : '';
    const definitions = this.#definitions.length > 0 ? `(${this.#definitions.join(', ')})` : '';
    const operations = [`${kind} ${name}${definitions} { ${selections.join(' ')} }`];

    if (random.boolean(0.03)) operations.push(`query other { __typename }`);

    return {
      query: [...operations, ...this.#fragments].join('\n'),
      operationName:
        name && random.boolean(0.3) ? random.pick(['op', 'op', 'other', '']) : undefined,
      variables: this.#variables,
    };
  }

  /** Returns values for the variables; most fit their types. */
  values({ variables }: GeneratedOperation): Record<string, unknown> {
    const random = this.#random;
    const values: [string, unknown][] = [];
    for (const [name, type] of variables) {
      if (!isNonNullType(type) && random.boolean(0.2)) continue;
      if (random.boolean(0.02)) continue;
      values.push([name, randomValue(random, type)]);
    }
    if (random.boolean(0.1)) values.push(['unknown', 1]);
    return Object.fromEntries(values);
  }

  #selections(type: GraphQLObjectType, depth: number): string {
    const random = this.#random;
    const parts = [this.#field(type, depth)];
    while (random.boolean(0.5)) {
      const choice = random.next();
      if (choice < 0.1) parts.push('__typename');
      else if (choice < 0.2) parts.push(`... on ${type.name} { ${this.#field(type, depth)} }`);
      else if (choice < 0.3) parts.push(this.#spread(type, depth));
      else parts.push(this.#field(type, depth));
    }
    return parts.join(' ');
  }

  #spread(type: GraphQLObjectType, depth: number): string {
    const name = `f${this.#fragments.length}`;
    const at = this.#fragments.push('') - 1;
    this.#fragments[at] = `fragment ${name} on ${type.name} { ${this.#selections(type, depth)} }`;
    return `...${name}${this.#directive()}`;
  }

  #field(type: GraphQLObjectType, depth: number): string {
    const random = this.#random;
    const fields = Object.values(type.getFields()).filter(
      (field) => depth < maxDepth || !isObjectType(getNamedType(field.type)),
    );
    const field = random.pick(fields);
    // Two fields with different arguments must not have the same response name.
    const isAliased = depth === 0 || field.args.length > 0 || random.boolean(0.2);
    const alias = random.boolean(0.05) ? random.pick(aliases) : `a${(this.#aliases += 1)}`;
    const named = getNamedType(field.type);
    const inner = isObjectType(named) ? ` { ${this.#selections(named, depth + 1)} }` : '';
    return `${isAliased ? `${alias}: ` : ''}${field.name}${this.#arguments(field)}${this.#directive()}${inner}`;
  }

  #arguments({ args }: GraphQLField<unknown, unknown>): string {
    const random = this.#random;
    const given = args
      .filter(({ type, defaultValue }) => {
        const required = isNonNullType(type) && defaultValue === undefined;
        return required ? !random.boolean(0.01) : random.boolean(0.4);
      })
      .map(({ name, type, defaultValue }) => {
        const text = random.boolean(0.9)
          ? this.#variable(type, defaultValue !== undefined)
          : randomLiteral(random, type);
        return `${name}: ${text}`;
      });
    return given.length > 0 ? `(${given.join(', ')})` : '';
  }

  #variable(type: GraphQLInputType, hasDefault: boolean): string {
    const random = this.#random;
    const name = `v${this.#variables.size}`;
    const mayBeNull = hasDefault && random.boolean(0.5);
    const declared = mayBeNull ? getNullableType(type) : type;
    const initial = random.boolean(0.2) ? ` = ${randomLiteral(random, declared)}` : '';
    this.#variables.set(name, declared);
    this.#definitions.push(`$${name}: ${String(declared)}${initial}`);
    return `$${name}`;
  }

  #directive(): string {
    const random = this.#random;
    if (!random.boolean(0.015)) return '';
    const name = random.pick(['skip', 'include']);
    if (random.boolean(0.5)) return ` @${name}(if: ${random.pick(['true', 'false'])})`;
    const variable = `b${this.#variables.size}`;
    this.#definitions.push(`$${variable}: Boolean! = true`);
    this.#variables.set(variable, GraphQLBoolean);
    return ` @${name}(if: $${variable})`;
  }
}

/** Names that also have a meaning in JavaScript. */
const aliases = [
  'a',
  'b',
  'c',
  'constructor',
  '__proto__',
  'toString',
  'then',
  'function',
] as const;

/** Returns a value of a type as text of a document. */
function randomLiteral(random: Random, type: GraphQLInputType): string {
  return toLiteral(randomValue(random, type, 0.005), type);
}

/**
 * Returns a value of a type as JSON.
 * @param wrong how often a value is one that the type does not accept
 */
function randomValue(random: Random, type: GraphQLInputType, wrong = 0.02): unknown {
  if (random.boolean(wrong)) return random.pick(wrongValues);
  if (isNonNullType(type)) return randomValue(random, type.ofType, wrong);
  if (random.boolean(0.1)) return null;

  if (isListType(type)) {
    const item = () => randomValue(random, type.ofType, wrong);
    return random.boolean(0.1) ? item() : Array.from({ length: random.integer(0, 3) }, item);
  }

  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(
      (field) => (isNonNullType(field.type) && random.boolean(0.98)) || random.boolean(0.5),
    );
    return Object.fromEntries(
      fields.map((field) => [field.name, randomValue(random, field.type, wrong)]),
    );
  }

  if (isEnumType(type)) return random.pick(type.getValues()).name;

  return random.pick(scalarValues[type.name] ?? ['']);
}

const longText = 'long '.repeat(400);

const wrongValues: readonly unknown[] = [
  7,
  'text',
  -1.5,
  true,
  null,
  [1],
  { other: 1 },
  1e300,
  longText,
];

const scalarValues: Readonly<Record<string, readonly unknown[]>> = {
  ID: ['id_1', '', 7, 'sync', 'broken', 'refused', longText],
  String: ['text', 'é"\\\n', 'refused', longText],
  Int: [0, -1, 20, 2_147_483_647],
  Boolean: [true, false],
  DateTime: ['2026-11-20T12:00:00.000Z', '2026-11-20T13:00:00+01:00'],
  MinorUnits: [0, 9_007_199_254_740_991],
  JSON: [{ a: [1, null, { b: 'é' }], b7: 1.5 }, [1], 'text', 0, false],
};

function toLiteral(value: unknown, type: GraphQLInputType): string {
  if (Array.isArray(value)) return `[${value.map((item) => toLiteral(item, type)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const named = getNamedType(type);
    const fields = isInputObjectType(named) ? named.getFields() : {};
    const members = Object.entries(value).map(
      ([name, inner]) => `${name}: ${toLiteral(inner, fields[name]?.type ?? type)}`,
    );
    return `{ ${members.join(', ')} }`;
  }
  return typeof value === 'string' && isEnumType(getNamedType(type))
    ? value
    : JSON.stringify(value);
}
