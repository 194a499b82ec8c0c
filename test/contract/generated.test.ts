import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { parse } from 'yaml';
import {
  lineDiff,
  openObjects,
  printMigrations,
  printOperations,
  printTypes,
} from '../../scripts/generate/print.js';
import { printClientDocuments, printPortalDocuments } from '../../scripts/generate/documents.js';
import { generatedFiles } from '../../scripts/generate/files.js';
import { printPythonTypes } from '../../scripts/generate/python.js';
import { printWebhooks } from '../../scripts/generate/webhooks.js';
import { repositoryRoot } from '../support/repository.js';

const documents = join('dashboard', 'documents');
const committed = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');

describe('generated files', () => {
  let copy: string;

  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'signalpost-generate-'));
    for (const folder of ['schema', join('src', 'database', 'migrations'), documents]) {
      cpSync(join(repositoryRoot, folder), join(copy, folder), { recursive: true });
    }
  });
  afterEach(() => rmSync(copy, { recursive: true }));

  const change = (path: string, from: string, to: string) => {
    const file = join(copy, path);
    const text = readFileSync(file, 'utf8');
    expect(text).to.include(from);
    writeFileSync(file, text.replace(from, to));
  };

  it('generated files say what their sources say', async () => {
    for (const { path, print } of generatedFiles(repositoryRoot)) {
      const wanted = await print();
      if (wanted !== committed(path))
        throw new Error(`${path}: run npm run generate\n${lineDiff(committed(path), wanted)}`);
    }
  });

  it('generated files differ as soon as the contract changes', async () => {
    change('schema/openapi.yaml', 'has_more: { type: boolean }', 'has_more: { type: string }');
    expect(await printTypes(copy)).not.to.equal(
      committed('src/http/rest/generated/openapi-types.ts'),
    );
    expect(await printPythonTypes(copy)).to.include('\n    has_more: str\n');
  });

  it('generating fails for a schema that has no type in Python', () => {
    change('schema/openapi.yaml', 'has_more: { type: boolean }', 'has_more: { type: bytes }');
    expect(() => printPythonTypes(copy)).to.throw(/PageHasMore: no type in Python for bytes/);
  });

  it('the types of the clients come from a description whose objects are open', () => {
    const closed = {
      schema: {
        type: 'object',
        properties: { data: { type: 'object' }, additionalProperties: { type: 'string' } },
        additionalProperties: false,
        items: [{ allOf: [{}], unevaluatedProperties: false }],
      },
      metadata: { type: 'object', additionalProperties: { type: 'string' } },
    };
    expect(openObjects(closed)).to.deep.equal({
      schema: {
        type: 'object',
        properties: {
          data: { type: 'object', additionalProperties: true },
          additionalProperties: { type: 'string' },
        },
        items: [{ allOf: [{}] }],
      },
      metadata: { type: 'object', additionalProperties: { type: 'string' } },
    });
  });

  it('generated files differ as soon as a document changes', async () => {
    change('schema/fragments/webhook-endpoint.graphql', '  active\n', '');
    expect(await printOperations(copy)).not.to.equal(
      committed('src/http/rest/generated/operations.ts'),
    );
  });

  it('generated files follow a new event type and a new migration', async () => {
    const events = join(copy, 'schema', 'events');
    cpSync(join(events, 'offer.sent.v1.json'), join(events, 'offer.seen.v1.json'));
    const description = parse(await printWebhooks(copy)) as { webhooks: Record<string, object> };
    expect(description.webhooks['offer.seen']).to.have.nested.property(
      'post.operationId',
      'events.offer.seen',
    );
    const migration = join(copy, 'src', 'database', 'migrations', '9999-offer-seen.ts');
    writeFileSync(migration, 'export class OfferSeen1795400000000 {}\n');
    const migrations = await printMigrations(copy);
    expect(migrations).to.include(`from '../migrations/9999-offer-seen.js';`);
    expect(migrations).to.match(/,\n {2}OfferSeen1795400000000,\n\];\n$/);
    writeFileSync(migration, '');
    expect(() => printMigrations(copy)).to.throw(/9999-offer-seen.ts must export one class/);
  });

  it('generating fails for an event type without a summary', () => {
    change('schema/events/offer.sent.v1.json', ' This is the `data`', '');
    expect(() => printWebhooks(copy)).to.throw(/offer.sent.v1.json: the description lacks/);
  });

  it('generating fails for a document that is not named after its file', async () => {
    change(
      'schema/operations/webhooks.deliveries.list.graphql',
      'webhooks_deliveries_list',
      'list',
    );
    const error = await printOperations(copy).catch((thrown: unknown) => thrown);
    expect(String(error)).to.match(/must contain the operation webhooks_deliveries_list/);
  });

  it('generating fails for a fragment that is missing or not named after its file', async () => {
    const failure = () => printOperations(copy).catch(String);
    change('schema/operations/webhooks.endpoints.retrieve.graphql', '...Webhook', '...Hook');
    expect(await failure()).to.match(/schema\/fragments has no fragment HookEndpoint/);
    change('schema/fragments/offer.graphql', 'fragment Offer', 'fragment Proposal');
    expect(await failure()).to.match(
      /offer.graphql must contain one fragment, named after the file/,
    );
  });

  it('generating fails for a document of a client with an operation that has no blank line before it', async () => {
    const failure = () => printClientDocuments(copy, 'dashboard').catch(String);
    const source = readFileSync(join(copy, documents, 'offer.graphql'), 'utf8');
    const second = source.replace('query offer(', 'query otherOffer(');
    expect(second).not.to.equal(source);
    writeFileSync(join(copy, documents, 'offer.graphql'), `${source.trim()}\n${second}`);
    expect(await failure()).to.match(
      /dashboard\/documents\/offer.graphql must contain only named operations, with a blank line/,
    );
  });

  it('generating fails for a document of the dashboard or the portal that is not named after its file', async () => {
    const failure = () => printClientDocuments(copy, 'dashboard').catch(String);
    const expected = 'must contain one operation, named after the file';
    change('dashboard/documents/offer.graphql', 'query offer(', 'query oneOffer(');
    expect(await failure()).to.include(`dashboard/documents/offer.graphql ${expected}`);

    change('dashboard/documents/offer.graphql', 'query oneOffer(', 'query offer(');
    change('dashboard/documents/shared/event.graphql', 'query event(', 'query oneEvent(');
    expect(await failure()).to.include(`dashboard/documents/shared/event.graphql ${expected}`);
    expect(() => printPortalDocuments(copy)).to.throw(expected);
  });

  it('generating fails for a file of the dashboard with two operations', async () => {
    const file = join(copy, documents, 'offer.graphql');
    const source = readFileSync(file, 'utf8');
    const second = source.replace('query offer(', 'query otherOffer(');
    writeFileSync(file, `${source.trim()}\n\n${second}`);
    const error = await printClientDocuments(copy, 'dashboard').catch(String);
    expect(error).to.include('offer.graphql must contain one operation, named after the file');
  });

  describe('of dist/schema', () => {
    /** Its files as text, built from the copy. */
    const built = async () => {
      const url = pathToFileURL(join(repositoryRoot, 'scripts', 'build-schema.mjs')).href;
      const { schemaFiles } = (await import(url)) as {
        schemaFiles: (from: string) => Promise<Readonly<Record<string, string>>>;
      };
      return schemaFiles(copy);
    };
    const refusal = () => built().catch(String);

    it('the build writes dist/schema again when it is gone or its sources have changed', async () => {
      const url = pathToFileURL(join(repositoryRoot, 'scripts', 'build-schema.mjs')).href;
      const { isSchemaBuilt } = (await import(url)) as { isSchemaBuilt: (at: string) => boolean };
      expect(isSchemaBuilt(copy)).to.equal(false);
      const dist = join(copy, 'dist');
      cpSync(join(repositoryRoot, 'dist', 'schema'), join(dist, 'schema'), { recursive: true });
      cpSync(join(repositoryRoot, 'dist', '.schema.stamp'), join(dist, '.schema.stamp'));
      expect(isSchemaBuilt(copy)).to.equal(true);
      rmSync(join(dist, 'schema', 'openapi.json'));
      expect(isSchemaBuilt(copy)).to.equal(false);
      rmSync(dist, { recursive: true });
    });

    it('dist/schema says what its sources say', async () => {
      for (const [name, text] of Object.entries(await built()))
        expect(text, name).to.equal(committed(join('dist', 'schema', name)));
    });

    it('dist/schema follows the contract and the events', async () => {
      change('schema/openapi.yaml', 'maxLength: 500', 'maxLength: 501');
      const events = join(copy, 'schema', 'events');
      cpSync(join(events, 'offer.sent.v1.json'), join(events, 'offer.seen.v1.json'));
      const files = await built();
      expect(files['contract.json']).to.include('"maxLength":501');
      expect(files['openapi.json']).to.include('"maxLength": 501');
      expect(files['openapi.yaml']).to.include('\n    offer.seen.v1:\n');
      expect(files['event-schemas.json']).to.include('"offer.seen/v1":{');
    });

    it('the build fails for an event type without an example', async () => {
      change('schema/events/offer.sent.v1.json', '"examples"', '"default"');
      expect(await refusal()).to.match(/offer.sent.v1.json must have "examples"/);
    });

    it('the build fails for a $ref that does not resolve', async () => {
      change('schema/openapi.yaml', "'#/components/schemas/Page'", "'#/components/schemas/Sheet'");
      expect(await refusal()).to.match(/nothing at .*Sheet/);
    });
  });
});

describe('the diff of a generated file', () => {
  it('the diff shows the lines that changed and nothing else', () => {
    expect(lineDiff('a\nb\nc', 'a\nB\nc')).to.equal('@@ line 2 @@\n- b\n+ B');
  });

  it('the diff ends after 60 lines', () => {
    const diff = lineDiff('', Array.from({ length: 100 }, (_, line) => line).join('\n'));
    expect(diff.split('\n')).to.have.lengthOf(61);
    expect(diff).to.match(/… \d+ more$/);
  });
});
