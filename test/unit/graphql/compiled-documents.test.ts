import { ApolloServer } from '@apollo/server';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { parse } from 'graphql';
import { pino } from 'pino';
import { Random } from '../../../tools/seed/random.js';
import { CompiledDocuments } from '../../../src/graphql/compiled-documents.js';
import { createFormatError } from '../../../src/graphql/errors.js';
import { mediaTypes } from '../../../src/graphql/media-type.js';
import {
  createGraphQLServer,
  executeWith,
  type GraphQLServer,
  serverOptions,
} from '../../../src/graphql/server.js';
import { type EchoContext, echoSchema } from '../../support/echo-schema.js';
import { OperationGenerator } from '../../support/graphql-operations.js';
import { seededRandom } from '../../support/seeded-random.js';

const silent = pino({ level: 'silent' });
const accepts = [...mediaTypes, 'text/html'] as const;
/** The third time it is compiled, if it can be. */
const repetitions = 4;

interface Request {
  readonly body: unknown;
  readonly accept: string;
  readonly kind: 'internal' | 'dashboard';
  readonly seed: number;
}

describe('a repeated operation', () => {
  const { seed } = seededRandom();
  let plain: GraphQLServer;
  let ours: GraphQLServer;
  let compiled = 0;
  const codes: Record<'plain' | 'ours', string[]> = { plain: [], ours: [] };

  before(async () => {
    const format = createFormatError(
      () => undefined,
      (code) => void codes.plain.push(code),
    );
    ours = createGraphQLServer(echoSchema, silent, (code) => void codes.ours.push(code));
    const apollo = new ApolloServer({ ...serverOptions(silent, format), schema: echoSchema });
    plain = { apollo, documents: createGraphQLServer(echoSchema, silent).documents };
    for (const { apollo: server } of [plain, ours]) await server.start();
    const { documents } = ours;
    const run = documents.run.bind(documents);
    documents.run = async (...request) => {
      const result = await run(...request);
      if (result) compiled += 1;
      return result;
    };
  });
  after(async () => {
    for (const { apollo } of [plain, ours]) await apollo.stop();
  });

  /** The whole response, the counted codes, and the changes that the resolvers made. */
  async function answer(which: 'plain' | 'ours', { body, accept, kind, seed: of }: Request) {
    const context = { viewer: { kind }, seed: of, changes: [] as string[] };
    codes[which].splice(0);
    const headers = { 'content-type': 'application/json' };
    const execute = executeWith(which === 'plain' ? plain : ours);
    const response = await execute({ headers, accept, body }, context as unknown as EchoContext);
    return JSON.stringify({
      status: response.status,
      headers: [...response.headers],
      body: response.body,
      codes: codes[which],
      changes: context.changes,
    });
  }

  async function compare(request: Request): Promise<string> {
    const expected = await answer('plain', request);
    const actual = await answer('ours', request);
    // A message of chai would compare long texts line by line.
    if (actual !== expected)
      throw new Error(JSON.stringify({ request, actual, expected }, null, 1));
    return expected;
  }

  it(`gets byte for byte what Apollo and graphql-js give (seed ${seed})`, async () => {
    let requests = 0;
    let succeeded = 0;
    const property = fc.asyncProperty(fc.integer({ min: 0 }), async (start) => {
      const random = new Random(start);
      const generator = new OperationGenerator(echoSchema, random);
      const operation = generator.next();
      const { query, operationName } = operation;
      for (let time = 1; time <= repetitions; time += 1) {
        const variables = generator.values(operation);
        const request: Request = {
          body: { query, variables, ...(operationName !== undefined && { operationName }) },
          accept: random.pick(accepts),
          kind: random.pick(['internal', 'dashboard']),
          seed: random.integer(0, 1e9),
        };
        const expected = await compare(request);
        requests += 1;
        if (!expected.includes('errors')) succeeded += 1;
      }
    });
    await fc.assert(property, {
      seed,
      numRuns: Number(process.env['COMPILED_DOCUMENTS_RUNS'] ?? 300),
    });
    process.stdout.write(
      `      ${JSON.stringify({ requests, succeeded, compiled })} seed=${seed}\n`,
    );
    // Requests that are all refused or interpreted would show nothing.
    expect(succeeded).to.be.above(requests / 10);
    expect(compiled).to.be.above(requests / 20);
  });

  /** Documents that graphql-jit would answer otherwise; the bytes of the last one would run as code. */
  const special = {
    'an order that a directive changes':
      'query ($b: Boolean!) { maybe { name @skip(if: $b) id name @include(if: true) } }',
    'errors below its root':
      '{ maybe { a: parent { id } b: owner { id } children { c: owner { id } } } }',
    'several arguments that must not be null':
      'mutation ($x: Int, $y: Int) { maybeChange(limit: $x, page: $y) { id } }',
    'two changes': 'mutation { a: changeThing { id } b: changeThing { id } }',
    'a change that resolves more':
      'mutation { a: changeThing { parent { owner { id } } children { owner { id } } owner { id } } }',
    'introspection, which needs a permission': '{ __schema { queryType { name } } }',
    'a text that graphql-jit writes into code':
      '{ maybe(id: "__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74dglobalThis.ran=1") { id } }',
  };
  for (const [name, query] of Object.entries(special)) {
    it(`with ${name} gets the same`, async () => {
      for (let at = 0; at < 100; at += 1) {
        const kind = at < repetitions ? 'internal' : 'dashboard';
        const body = { query, variables: { b: at % 2 === 0, x: null, y: null } };
        await compare({ body, kind, accept: mediaTypes[0], seed: at });
      }
      expect(globalThis).not.to.have.property('ran');
    });
  }
});

describe('CompiledDocuments', () => {
  const query = 'query ($limit: Int!) { maybe(limit: $limit) { id } }';
  const valid = (text: string) => ({ source: query, queryHash: 'one', document: parse(text) });

  it('compiles a document once, though Apollo executes each request of it that is wrong', async () => {
    const documents = new CompiledDocuments(echoSchema);
    for (let time = 0; time < 2; time += 1) documents.note(valid(query));
    // Compiled again, it would answer as this document.
    documents.note(valid(query.replace('id', 'name')));
    const context = { seed: 1, changes: [] } as unknown as EchoContext;
    const result = await documents.run({ query, variables: { limit: 1 } }, context);
    expect(result?.data?.['maybe']).to.have.keys('id');
  });
});
