import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import {
  execute as interpret,
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLError,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  parse,
} from 'graphql';
import { DomainError } from '../../../src/domain/errors.js';
import type { Context } from '../../../src/graphql/context.js';
import { compileOperation, execute, InvalidOperation } from '../../../src/graphql/execute.js';
import { DateTime, Json, MinorUnits } from '../../../src/graphql/scalars.js';

const Color = new GraphQLEnumType({ name: 'Color', values: { red: {}, green: {} } });
const Input = new GraphQLInputObjectType({
  name: 'Input',
  fields: {
    text: { type: GraphQLString },
    color: { type: Color },
    when: { type: DateTime },
    amount: { type: MinorUnits },
    free: { type: Json },
    list: { type: new GraphQLList(new GraphQLNonNull(GraphQLString)) },
    flag: { type: GraphQLBoolean, defaultValue: true },
  },
});
const Echo = new GraphQLObjectType({
  name: 'Echo',
  fields: {
    text: { type: GraphQLString },
    color: { type: Color },
    when: { type: DateTime },
    amount: { type: MinorUnits },
    free: { type: Json },
    list: { type: new GraphQLList(new GraphQLNonNull(GraphQLString)) },
    flag: { type: GraphQLBoolean },
    seen: { type: Json },
    certain: { type: new GraphQLNonNull(GraphQLString) },
  },
});

const args = {
  input: { type: Input },
  limit: { type: new GraphQLNonNull(GraphQLInt), defaultValue: 20 },
};
const resolve = (_: unknown, given: { input?: Record<string, unknown>; limit: number }) => {
  if (given.input?.['text'] === 'refuse') {
    throw new DomainError('endpoint_inactive', 'The endpoint is not active.');
  }
  if (given.input?.['text'] === 'break') return Promise.reject(new Error('our fault'));
  const seen = { given: Object.keys(given.input ?? {}).sort(), limit: given.limit };
  return { ...given.input, seen, certain: given.input?.['text'] === 'empty' ? null : 'yes' };
};
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      echo: { type: new GraphQLNonNull(Echo), args, resolve },
      texts: {
        type: Json,
        args: { id: { type: GraphQLID }, text: { type: GraphQLString } },
        resolve: (_: unknown, given: object) => given,
      },
    },
  }),
  mutation: new GraphQLObjectType({
    name: 'Mutation',
    fields: { echo: { type: new GraphQLNonNull(Echo), args, resolve } },
  }),
});

const fields = 'text color when amount free list flag seen certain';
const query = `query q($input: Input, $limit: Int = 20) { body: echo(input: $input, limit: $limit) { ${fields} } }`;
const mutation = query.replace('query q', 'mutation m');
const texts = `query t($id: ID!, $text: String!) { body: texts(id: $id, text: $text) }`;
const context = {} as Context;
const never = (operation: string, why: string) => {
  throw new Error(`${operation} is interpreted: ${why}`);
};

const executeModule = new URL('../../../src/graphql/execute.js', import.meta.url).href;
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a compiled operation', () => {
  const cases: [string, Record<string, unknown>][] = [
    ['nothing', {}],
    ['null', { input: null }],
    ['an empty input', { input: {} }],
    ['nulls', { input: { text: null, color: null, when: null, free: null, list: null } }],
    ['undefined members', { input: { text: undefined, color: 'red' } }],
    ['enums', { input: { color: 'green' } }],
    ['dates', { input: { when: '2026-11-20T13:00:00+01:00' } }],
    ['large amounts', { input: { amount: 9_007_199_254_740_991 } }],
    ['JSON', { input: { free: { b: [1, null, { c: 'é' }], a: false, '7': 1.5 } } }],
    ['a single item for a list', { input: { list: 'one' } }],
    ['defaults', { input: { flag: false }, limit: 7 }],
    ['a refusal', { input: { text: 'refuse' } }],
    ['a fault', { input: { text: 'break' } }],
    ['a null for a non-null field', { input: { text: 'empty' } }],
    ['a wrong type', { input: { text: 7 } }],
    ['a wrong enum', { input: { color: 'blue' } }],
    ['a wrong date', { input: { when: 'yesterday' } }],
    ['a wrong amount', { input: { amount: 1.5 } }],
    ['a null in a list', { input: { list: [null] } }],
    ['an unknown member', { input: { other: 1 } }],
    ['an empty argument', { limit: null }],
    ['several faults', { input: { text: 1, flag: 'x', list: [1, 2] }, limit: 'y' }],
  ];

  const textCases: [string, Record<string, unknown>][] = [
    ['strings', { id: 'a', text: '' }],
    ['an undeclared variable', { id: 'a', text: 'b', other: 1 }],
    ['a number for an id', { id: 7, text: 'b' }],
    ['a number for a text', { id: 'a', text: 7 }],
    ['a null', { id: 'a', text: null }],
    ['a missing variable', { text: 'b' }],
    ['an object', { id: {}, text: 'b' }],
  ];

  const documents = [
    [query, cases],
    [mutation, cases],
    [texts, textCases],
  ] as const;

  for (const [document, given] of documents) {
    const operation = compileOperation<object, object>(schema, { text: document }, never);

    for (const [name, variables] of given) {
      it(`answers ${operation.name} with ${name} as graphql-js does`, async () => {
        const expected = await interpret({
          schema,
          document: parse(document),
          variableValues: variables,
        });
        const answer = await operation.run(variables, context);
        expect(plain(withoutCodes(answer))).to.deep.equal(plain(expected));
      });
    }
  }

  function withoutCodes({ data, errors }: { data?: unknown; errors?: readonly GraphQLError[] }) {
    if (!errors) return { data };
    const bare = errors.map(({ message, locations, path }) => ({ message, locations, path }));
    return { errors: bare, ...(data !== undefined && { data }) };
  }
});

describe('execute', () => {
  const operation = compileOperation<{ body: Record<string, unknown> }, object>(
    schema,
    { text: mutation },
    never,
  );

  it('resolves with the data', async () => {
    const { body } = await execute(operation, { input: { text: 'hello' } }, context);
    expect(body['text']).to.equal('hello');
  });

  it('treats an undefined variable or member as absent', async () => {
    const variables = { input: { text: undefined, color: 'red' }, limit: undefined };
    const { body } = await execute(operation, variables, context);
    expect(body['seen']).to.deep.equal({ given: ['color', 'flag'], limit: 20 });
  });

  it('throws what the resolver threw', async () => {
    const refused = await rejection(execute(operation, { input: { text: 'refuse' } }, context));
    expect(refused).to.be.instanceOf(DomainError).with.property('code', 'endpoint_inactive');
    const broken = await rejection(execute(operation, { input: { text: 'break' } }, context));
    expect(broken).to.have.property('message', 'our fault');
    expect((broken as Error).stack).to.contain('execute.test');
  });

  it('throws when the variables do not match the schema', async () => {
    const error = await rejection(execute(operation, { input: { color: 'blue' } }, context));
    expect(error).to.be.instanceOf(InvalidOperation);
  });

  it('throws when a resolver returns null for a non-null field', async () => {
    const error = await rejection(execute(operation, { input: { text: 'empty' } }, context));
    expect(error)
      .to.have.property('message')
      .that.matches(/Cannot return null/);
  });

  async function rejection(promise: Promise<unknown>): Promise<unknown> {
    try {
      await promise;
    } catch (error) {
      return error;
    }
    throw new Error('it resolved');
  }
});

describe('compileOperation', () => {
  it('refuses documents that do not match the schema', () => {
    expect(() => compileOperation(schema, { text: '{ other }' }, never)).to.throw(
      InvalidOperation,
      /other/,
    );
  });

  it('interprets an operation, and reports it, where no code may be generated', () => {
    const script = `
      import { buildSchema } from 'graphql';
      import { compileOperation, execute } from ${JSON.stringify(executeModule)};
      const schema = buildSchema('type Query { number(limit: Int! = 20): Int }');
      schema.getQueryType().getFields().number.resolve = (_, { limit }) => limit;
      const text = 'query numbers($limit: Int = 5) { number(limit: $limit) }';
      const reported = [];
      const operation = compileOperation(schema, { text }, (...why) => reported.push(why));
      const answers = [await execute(operation, { limit: undefined }), await execute(operation, { limit: 7 })];
      console.log(JSON.stringify({ compiled: operation.compiled, reported, answers }));`;

    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', script],
      { encoding: 'utf8' },
    );

    expect(stderr).to.equal('');

    expect(JSON.parse(stdout)).to.deep.equal({
      compiled: false,
      reported: [['numbers', 'Code generation from strings disallowed for this context']],
      answers: [{ number: 5 }, { number: 7 }],
    });
  });

  it('refuses documents with several operations', () => {
    const several = 'query a { echo { text } } query b { echo { text } }';
    expect(() => compileOperation(schema, { text: several }, never)).to.throw(
      InvalidOperation,
      /one/,
    );
  });
});
