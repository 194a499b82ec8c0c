import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  GraphQLSchema,
  GraphQLString,
  OperationTypeNode,
} from 'graphql';
import { DomainError } from '../../src/domain/errors.js';
import type { Context } from '../../src/graphql/context.js';
import { DateTime, Json, MinorUnits } from '../../src/graphql/scalars.js';
import { Random } from '../../tools/seed/random.js';

/** Says what the resolvers of one request return, and lists the changes that they made. */
export interface EchoContext extends Context {
  readonly seed: number;
  readonly changes: string[];
}

const required = <T extends GraphQLOutputType>(type: T) => new GraphQLNonNull(type);
const listOf = <T extends GraphQLOutputType>(type: T) => new GraphQLList(new GraphQLNonNull(type));

const Color = new GraphQLEnumType({ name: 'Color', values: { red: {}, green: {} } });
const Inner = new GraphQLInputObjectType({
  name: 'Inner',
  fields: { text: { type: new GraphQLNonNull(GraphQLString) }, count: { type: GraphQLInt } },
});
const Input = new GraphQLInputObjectType({
  name: 'Input',
  fields: {
    id: { type: new GraphQLNonNull(GraphQLID) },
    text: { type: GraphQLString },
    color: { type: Color, defaultValue: 'red' },
    when: { type: DateTime },
    amount: { type: MinorUnits },
    free: { type: Json },
    flag: { type: GraphQLBoolean },
    inner: { type: Inner },
    list: { type: new GraphQLList(new GraphQLNonNull(Inner)) },
  },
});

const args: GraphQLFieldConfigArgumentMap = {
  id: { type: GraphQLID },
  limit: { type: new GraphQLNonNull(GraphQLInt), defaultValue: 20 },
  page: { type: new GraphQLNonNull(GraphQLInt), defaultValue: 1 },
  color: { type: Color },
  free: { type: Json },
  input: { type: Input },
};

/** Returns or throws what the seed of the request and the path of the field decide. */
function resolve(
  _parent: unknown,
  unsorted: object,
  { seed, changes }: EchoContext,
  { path, operation, fieldName }: GraphQLResolveInfo,
): unknown {
  // graphql-jit begins with defaults; resolvers take arguments by name.
  const given = Object.fromEntries(Object.entries(unsorted).sort());
  const isRoot = path.prev === undefined;
  if (isRoot && operation.operation === OperationTypeNode.MUTATION)
    changes.push(JSON.stringify([path.key, given]));

  const random = new Random(seed + hash(`${String(path.key)} ${fieldName}`));
  const choice = random.next();

  // Errors below a mutation would be internal errors; graphql-jit may list several otherwise.
  const result = () => {
    if (choice < 0.08) throw new DomainError('not_found', `No ${fieldName}.`);
    if (choice < 0.1) throw new Error('our fault');
    if (choice < 0.12) return null;
    return valueOf(random, given, operation.operation === OperationTypeNode.QUERY);
  };

  if (random.boolean(0.4)) return result();

  return new Promise((done) => setImmediate(done)).then(result);
}

/** Returns members of a thing, or items of a list of things. With `faults`, some do not match the schema. */
function valueOf(random: Random, given: object, faults: boolean, items = 3): unknown {
  const thing = {
    id: 'id_1',
    name: random.boolean(0.3) ? null : 'é',
    size: faults && random.boolean(0.05) ? random.pick([null, 'wide']) : 7,
    when: new Date(random.integer(0, 1e12)),
    color: random.pick(['red', 'green', null]),
    seen: given,
  };
  const list = items > 0 ? [1, 2].map(() => valueOf(random, given, faults, 0)) : [];
  return Object.assign(list, thing);
}

function hash(text: string): number {
  let sum = 7;
  for (const character of text) sum = (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return sum;
}

const Thing: GraphQLObjectType = new GraphQLObjectType({
  name: 'Thing',
  fields: () => ({
    id: { type: required(GraphQLID) },
    name: { type: GraphQLString },
    size: { type: required(GraphQLInt) },
    when: { type: DateTime },
    color: { type: Color },
    seen: { type: Json },
    parent: { type: Thing, resolve },
    owner: { type: required(Thing), resolve },
    children: { type: required(listOf(Thing)), args, resolve },
  }),
});
const Changed = new GraphQLObjectType({
  name: 'Changed',
  fields: {
    id: { type: required(GraphQLID) },
    name: { type: GraphQLString },
    seen: { type: Json },
  },
});

/** A schema whose resolvers return and throw what the seed of a request says. */
export const echoSchema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      thing: { type: required(Thing), args, resolve },
      maybe: { type: Thing, args, resolve },
      things: { type: required(listOf(Thing)), args, resolve },
      fixed: { type: GraphQLString, resolve: () => 'fixed' },
    },
  }),
  mutation: new GraphQLObjectType({
    name: 'Mutation',
    fields: {
      change: {
        type: required(Changed),
        args: { input: { type: new GraphQLNonNull(Input) } },
        resolve,
      },
      changeAll: {
        type: required(listOf(Changed)),
        args: { inputs: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Input))) } },
        resolve,
      },
      maybeChange: { type: Changed, args, resolve },
      changeThing: { type: required(Thing), args, resolve },
    },
  }),
});
