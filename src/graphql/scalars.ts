import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { numberChange } from '../domain/values/json-number.js';
import { parseTimestamp } from '../domain/values/timestamp.js';

/** RFC 3339 with a zone and at most milliseconds, such as `2026-11-20T12:00:00.000Z`. */
const timestampPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/;

/** A timestamp. Output is always UTC with milliseconds; input may have any zone (RFC 3339). */
export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description: 'An instant as RFC 3339 in UTC with milliseconds: `2026-11-20T12:00:00.000Z`.',
  serialize: (value) => {
    if (value instanceof Date) return value.toISOString();
    throw new TypeError('DateTime can serialize only a Date.');
  },
  parseValue: readTimestamp,
  parseLiteral: (node) => {
    if (node.kind === Kind.STRING) return readTimestamp(node.value);
    throw new GraphQLError('DateTime must be a string.', { nodes: node });
  },
});

function readTimestamp(value: unknown): Date {
  // A compiled operation reads its variables twice. The second time they are dates.
  if (value instanceof Date) return value;
  const date =
    typeof value === 'string' && timestampPattern.test(value) ? parseTimestamp(value) : undefined;
  if (date) return date;
  throw new GraphQLError('DateTime must be RFC 3339, such as 2026-11-20T12:00:00.000Z.');
}

/** An amount in minor currency units: a safe integer, which can exceed `Int`. */
export const MinorUnits = new GraphQLScalarType<number, number>({
  name: 'MinorUnits',
  description: 'An amount in minor currency units, an integer within ±(2^53 - 1).',
  serialize: readInteger,
  parseValue: readInteger,
  parseLiteral: (node) => {
    if (node.kind === Kind.INT) return readInteger(Number(node.value));
    throw new GraphQLError('MinorUnits must be an integer.', { nodes: node });
  },
});

function readInteger(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new GraphQLError('MinorUnits must be an integer within ±(2^53 - 1).');
}

/** Any JSON value, unchanged. Literals follow the same rules as bodies. */
export const Json = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: readLiteral,
});

function readLiteral(
  node: ValueNode,
  variables?: Readonly<Record<string, unknown>> | null,
): unknown {
  switch (node.kind) {
    case Kind.STRING:
    case Kind.BOOLEAN:
      return node.value;
    case Kind.INT:
    case Kind.FLOAT:
      return readNumber(node.value, node);
    case Kind.NULL:
      return null;
    case Kind.LIST:
      return node.values.map((item) => readLiteral(item, variables));
    case Kind.OBJECT:
      return readMap(node.fields, variables);
    case Kind.VARIABLE:
      return variables?.[node.name.value];
    case Kind.ENUM:
      throw new GraphQLError('JSON has no enum values.', { nodes: node });
  }
}

function readMap(
  fields: readonly { readonly name: { readonly value: string }; readonly value: ValueNode }[],
  variables?: Readonly<Record<string, unknown>> | null,
): Record<string, unknown> {
  const entries = fields.map(({ name, value }) => [name.value, readLiteral(value, variables)]);
  // fromEntries defines members and never assigns them, so `__proto__` is an ordinary name.
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function readNumber(text: string, node: ValueNode): number {
  const value = Number(text);
  const exact =
    node.kind === Kind.INT ? Number.isSafeInteger(value) : numberChange(text) === undefined;
  if (exact) return value;
  throw new GraphQLError('The number cannot be represented exactly.', { nodes: node });
}
