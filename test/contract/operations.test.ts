import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { buildSchema as buildOther } from 'graphql';
import { buildSchema } from '../../src/graphql/schema.js';
import { contract } from '../../src/http/rest/contract.js';
import { documents } from '../../src/http/rest/generated/operations.js';
import { operations } from '../../src/http/rest/operations.js';
import { compileRoutes } from '../../src/http/rest/routes.js';
import { tableRows } from '../support/contract.js';
import { repositoryRoot } from '../support/repository.js';

const operationIds = Object.keys(contract);

describe('the operations of /v1', () => {
  it('has an operation, a document and a contract under the same names', () => {
    const files = readdirSync(join(repositoryRoot, 'schema', 'operations'));
    const written = tableRows('Operations').map(([name = '']) => name.replaceAll('`', ''));
    expect(operationIds).to.have.members(written);
    expect(Object.keys(operations)).to.have.members(operationIds);
    expect(Object.keys(documents)).to.have.members(operationIds);
    expect(files.map((file) => file.replace(/\.graphql$/, ''))).to.have.members(operationIds);
  });

  it('compiles every document against the live schema, and leaves none to be interpreted', () => {
    const interpreted: string[] = [];
    const routes = compileRoutes(buildSchema(), (operation, why) => {
      interpreted.push(`${operation}: ${why}`);
    });
    expect(Object.keys(routes)).to.have.members(operationIds);
    expect(interpreted).to.deep.equal([]);
  });

  it('refuses a document that the schema does not know', () => {
    const other = buildOther('type Query { nothing: Int }');
    expect(() => compileRoutes(other, () => undefined)).to.throw(/webhooks_\w+: Unknown type/);
  });

  it('asks for a key exactly where something changes (H50, H57)', () => {
    for (const [id, { method, takesKey }] of Object.entries(contract)) {
      expect(takesKey, id).to.equal(method !== 'GET');
    }
  });

  it('asks for write where something changes, and for read elsewhere (H88)', () => {
    for (const [id, { method, permission }] of Object.entries(contract)) {
      expect(permission.level, id).to.equal(method === 'GET' ? 'read' : 'write');
      expect(permission.name, id).to.equal(id.startsWith('commerce.') ? 'orders' : 'webhooks');
    }
  });

  it('lets dashboard tokens into webhook operations only (H87)', () => {
    for (const [id, { credentials }] of Object.entries(contract)) {
      const kinds = id.startsWith('webhooks.')
        ? ['live', 'legacy', 'dashboard']
        : ['live', 'legacy'];
      expect([...credentials], id).to.deep.equal(kinds);
    }
  });

  it('has the same page size by default as GraphQL (H31)', () => {
    const fields = buildSchema().getQueryType()?.getFields() ?? {};

    for (const name of ['webhookEndpoints', 'webhookDeliveries']) {
      const limit = fields[name]?.args.find((argument) => argument.name === 'limit');
      expect(limit?.defaultValue, name).to.equal(20);
    }

    for (const id of ['webhooks.endpoints.list', 'webhooks.deliveries.list'] as const) {
      const [limit] = contract[id].query ?? [];
      expect(limit?.schema.default, id).to.equal(20);
    }

    for (const kind of ['orders', 'payments', 'refunds', 'invoices'] as const) {
      const [page, perPage] = contract[`commerce.${kind}.list`].query ?? [];
      const own = fields[kind]?.args ?? [];
      const defaultOf = (name: string) => own.find((argument) => argument.name === name);
      expect(defaultOf('page')?.defaultValue, kind).to.equal(page?.schema.default ?? NaN);
      expect(defaultOf('perPage')?.defaultValue, kind).to.equal(perPage?.schema.default ?? NaN);
    }
  });
});

describe('the statuses of the contract', () => {
  for (const [name = '', , success = '', refusals = ''] of tableRows('Operations')) {
    const id = name.replaceAll('`', '') as keyof typeof contract;
    const wanted = `${success} ${refusals}`;
    it(`${id} declares ${wanted} and no others (A9, A10, A11, A14)`, () => {
      const { status, problems } = contract[id];
      expect([status, ...problems]).to.have.members(wanted.split(' ').map(Number));
    });
  }
});
