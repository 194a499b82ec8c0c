import { ApolloServer } from '@apollo/server';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { pino } from 'pino';
import { Random } from '../../../../tools/seed/random.js';
import type { Context } from '../../../../src/graphql/context.js';
import { createFormatError } from '../../../../src/http/graphql/errors.js';
import {
  type ExecuteOperation,
  type KnownDocument,
  KnownDocuments,
  runKnownDocuments,
} from '../../../../src/http/graphql/known-documents.js';
import { type MediaType, mediaTypes } from '../../../../src/http/graphql/media-type.js';
import {
  createGraphQLServer,
  executeWith,
  serverOptions,
} from '../../../../src/http/graphql/server.js';
import { type EchoContext, echoSchema } from '../../../support/echo-schema.js';
import { releaseWith } from '../../../support/documents.js';
import { OperationGenerator } from '../../../support/operation-generator.js';
import { seededRandom } from '../../../support/random.js';

const silent = pino({ level: 'silent' });
const repetitions = 4;

interface Request {
  readonly query: string;
  readonly variables: object;
  readonly operationName?: string;
  readonly accept: MediaType;
  readonly kind: 'internal' | 'dashboard';
  readonly seed: number;
}

type Way = 'plain' | 'by id' | 'by text';

describe('runKnownDocuments', () => {
  const { seed } = seededRandom();
  let plain: ApolloServer<Context>;
  let apollo: ReturnType<typeof createGraphQLServer>;
  let compiled = 0;
  const codes: Record<'plain' | 'ours', string[]> = { plain: [], ours: [] };
  const execute: Partial<Record<'plain' | 'ours', ExecuteOperation>> = {};

  before(async () => {
    const format = createFormatError(
      () => undefined,
      (code) => void codes.plain.push(code),
    );
    apollo = createGraphQLServer(echoSchema, silent, (code) => void codes.ours.push(code));
    plain = new ApolloServer({ ...serverOptions(silent, format), schema: echoSchema });
    for (const server of [plain, apollo]) await server.start();
    execute.plain = executeWith(plain);
    execute.ours = runKnownDocuments(executeWith(apollo));
  });

  after(async () => {
    for (const server of [plain, apollo]) await server.stop();
  });

  /** The whole response, the counted codes, and the changes that the resolvers made. */
  async function answer(way: Way, request: Request, documents: KnownDocuments | undefined) {
    const { query, variables, operationName, accept, kind } = request;
    const context = { viewer: { kind }, seed: request.seed, changes: [] as string[] };
    const which = way === 'plain' ? 'plain' : 'ours';
    codes[which].splice(0);

    const body = {
      ...(way === 'by id' ? { documentId: 'known' } : { query }),
      variables,
      ...(operationName !== undefined && { operationName }),
    };

    const document = which === 'ours' ? counted(documents?.find(body)) : undefined;
    const headers = { 'content-type': 'application/json' };
    const post = { headers, accept, body, document };
    const reply = await execute[which]?.(post, context as unknown as EchoContext);
    return JSON.stringify({ reply, codes: codes[which], changes: context.changes });
  }

  function counted(document: KnownDocument | undefined): KnownDocument | undefined {
    if (!document || Object.hasOwn(document, 'run')) return document;
    const run = document.run.bind(document);
    document.run = async (...request) => {
      const result = await run(...request);
      if (result) compiled += 1;
      return result;
    };
    return document;
  }

  async function compare(request: Request, documents: KnownDocuments | undefined): Promise<string> {
    const expected = await answer('plain', request, documents);
    for (const way of documents ? (['by id', 'by text'] as const) : (['by text'] as const)) {
      const actual = await answer(way, request, documents);
      // A message of chai would compare long texts line by line.
      if (actual !== expected)
        throw new Error(JSON.stringify({ way, request, actual, expected }, null, 1));
    }
    return expected;
  }

  it(`answers a known document byte for byte as Apollo and graphql-js answer its text (seed ${seed})`, async () => {
    let requests = 0;
    let succeeded = 0;
    const property = fc.asyncProperty(fc.integer({ min: 0 }), async (start) => {
      const random = new Random(start);
      const generator = new OperationGenerator(echoSchema, random);
      const operation = generator.next();
      const { query, operationName } = operation;
      const documents = releaseWith(echoSchema, query);
      for (let time = 1; time <= repetitions; time += 1) {
        const request: Request = {
          query,
          variables: generator.values(operation),
          ...(operationName !== undefined && { operationName }),
          accept: random.pick(mediaTypes),
          kind: random.pick(['internal', 'dashboard']),
          seed: random.integer(0, 1e9),
        };

        const expected = await compare(request, documents);

        requests += 1;
        if (!expected.includes('errors')) succeeded += 1;
      }
    });

    await fc.assert(property, { seed, numRuns: 300 });

    process.stdout.write(
      `      ${JSON.stringify({ requests, succeeded, compiled })} seed=${seed}\n`,
    );

    // Requests that are all refused or interpreted would show nothing.
    expect(succeeded).to.be.above(requests / 10);
    expect(compiled).to.be.above(requests / 20);
  });

  /** Documents that graphql-jit would answer differently; the text in the last one would run as code. */
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
    it(`answers a known document with ${name} as its text`, async () => {
      const documents = releaseWith(echoSchema, query);
      expect(documents).not.to.equal(undefined);
      for (let at = 0; at < 100; at += 1) {
        const kind = at < repetitions ? 'internal' : 'dashboard';
        const variables = { b: at % 2 === 0, x: null, y: null };
        await compare({ query, variables, kind, accept: mediaTypes[0], seed: at }, documents);
      }
      expect(globalThis).not.to.have.property('ran');
    });
  }
});

describe('KnownDocuments', () => {
  const text = 'query known($limit: Int!) {\n  maybe(limit: $limit) {\n    id\n    name\n  }\n}';
  const documents = new KnownDocuments(echoSchema, new Map([['known', text]]));

  it('finds a document by its id, and refuses an unknown id', () => {
    expect(documents.find({ documentId: 'known' })).to.include({ text, name: 'known' });
    for (const documentId of ['other', '', 7, {}, 'constructor']) {
      expect(() => documents.find({ documentId }), JSON.stringify(documentId))
        .to.throw()
        .with.property('code', 'document_unknown');
    }
  });

  it('refuses an id and a text at once', () => {
    expect(() => documents.find({ documentId: 'known', query: text }))
      .to.throw()
      .with.property('code', 'validation_failed');
  });

  it('finds a document by its text, whitespace apart', () => {
    const same = [
      text,
      `\n${text}\r\n`,
      'query known ( $limit : Int ! ) { maybe ( limit:$limit ) { id name } }',
      'query known($limit:Int!){maybe(limit:$limit){id\tname}}',
    ];
    for (const query of same) {
      expect(documents.find({ query }), query).to.equal(documents.byId('known'));
    }
  });

  it('finds no document for another text', () => {
    const others = [
      text.replace('id\n    name', 'idname'),
      text.replace('name', 'size'),
      text.replace('maybe', 'a: maybe'),
      `# a comment ends with its line\n${text}`,
      text.replace(' ', '\u00a0'),
      `${text}${' '.repeat(10_000)}`,
      '',
    ];
    for (const query of others) expect(documents.find({ query }), query).to.equal(undefined);
    expect(documents.find({})).to.equal(undefined);
  });

  it('compares texts that contain strings exactly, because whitespace inside a string is significant', () => {
    const query = 'query q { maybe(id: "a b") { id } }';
    const release = new KnownDocuments(echoSchema, new Map([['q', query]]));
    expect(release.find({ query })).to.equal(release.byId('q'));
    expect(release.find({ query: query.replace('a b', 'a  b') })).to.equal(undefined);
  });

  it('compiles only the documents whose ids are listed, and interprets all others', async () => {
    const context = {
      viewer: { kind: 'internal' },
      seed: 1,
      changes: [],
    } as unknown as EchoContext;
    const texts = new Map([['known', text]]);
    const variables = { limit: 1 };

    const listed = new KnownDocuments(echoSchema, texts, new Set(['known'])).byId('known');
    const unlisted = new KnownDocuments(echoSchema, texts, new Set(['other'])).byId('known');

    expect(await listed.run({ variables }, context)).to.have.property('data');
    expect(await unlisted.run({ variables }, context)).to.equal(undefined);
    expect(await documents.byId('known').run({ variables }, context)).to.equal(undefined);
  });
});
