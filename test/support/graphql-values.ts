import {
  getNamedType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { Random } from '../../tools/seed/random.js';

/** Returns a value of a type as text of a document. */
export function randomLiteral(random: Random, type: GraphQLInputType): string {
  return toLiteral(randomValue(random, type, 0.005), type);
}

/**
 * Returns a value of a type as JSON.
 * @param wrong how often a value is one that the type does not accept
 */
export function randomValue(random: Random, type: GraphQLInputType, wrong = 0.02): unknown {
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
