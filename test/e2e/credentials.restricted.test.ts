import { expect } from 'chai';
import type { Area, Level } from '../../src/domain/account/permission.js';
import { admin, adminJson } from '../support/admin.js';
import { createCheckout } from '../support/sales.js';
import { endpointsPath, toProblem } from '../support/endpoints.js';
import { call, publicOperations } from '../support/every-operation.js';
import { RestClient } from '../support/rest-client.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, setRole, type Tenant } from '../support/tenants.js';

const levels: readonly Level[] = ['none', 'read', 'write'];

interface Issued {
  readonly id: string;
  readonly token: string;
}

describe('restricted keys', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  const create = `mutation ($input: CreateCredentialInput!) {
    createCredential(input: $input) { id token } }`;
  const issue = async (input: object) => {
    const variables = { input: { account: tenant.account, kind: 'live', ...input } };
    return (await tenant.graphql<{ createCredential: Issued }>(create, variables)).createCredential;
  };

  const client = async (input: object) => new RestClient(service.url, (await issue(input)).token);
  const byCommand = async (...args: string[]) => {
    const words = ['credentials', 'create', '--account', tenant.account, '--kind', 'live'];
    return (await adminJson(service.environment, [...words, ...args])) as Issued;
  };

  it('H118: refuses the checkout to a key without the orders permission at read, with 403', async () => {
    const path = `/v1/commerce/checkouts/${await createCheckout(tenant)}`;

    for (const kind of ['live', 'legacy']) {
      const without = await client({ kind, webhooks: 'write', orders: 'none' });
      const { code, errors } = toProblem(await without.get(path), 403);
      expect(code).to.equal('forbidden');

      expect(errors).to.deep.equal([
        {
          code: 'permission_missing',
          detail: 'This operation requires the `orders` permission at read level.',
        },
      ]);

      const reading = await client({ kind, webhooks: 'none', orders: 'read' });
      expect((await reading.get(path)).status).to.equal(200);
    }
  });

  it('H88, H118: checks every operation only against the level of its own area', async () => {
    for (const webhooks of levels) {
      for (const orders of levels) {
        const rest = await client({ webhooks, orders });

        for (const operation of publicOperations) {
          const [area, level] = operation.permission.split(':') as [Area, Level];
          const reaches = levels.indexOf({ webhooks, orders }[area]) >= levels.indexOf(level);
          const reply = await call(rest, operation);
          const what = `${operation.id} with webhooks ${webhooks}, orders ${orders}`;
          expect(reply.status !== 403, what).to.equal(reaches);
          if (reaches) continue;

          expect(toProblem(reply, 403).errors[0]?.detail, what).to.include(
            `\`${area}\` permission at ${level} level`,
          );
        }
      }
    }
  });

  it('H89, H118: lowers a key of its own levels by the present role of its holder', async () => {
    const { id, token } = await issue({ role: 'owner', webhooks: 'write', orders: 'write' });
    const rest = new RestClient(service.url, token);
    const samples = [
      'webhooks.endpoints.list',
      'webhooks.endpoints.delete',
      'commerce.checkouts.retrieve',
      'commerce.offers.send',
    ].map((name) => publicOperations.find((operation) => operation.id === name)!);

    const reached = async () => {
      const replies = await Promise.all(samples.map((operation) => call(rest, operation)));
      return samples
        .filter((_, index) => replies[index]?.status !== 403)
        .map(({ permission }) => permission);
    };

    expect(await reached()).to.have.lengthOf(4);
    await setRole(service, id, 'developer');
    expect(await reached()).to.eql(['webhooks:read', 'webhooks:write', 'orders:read']);
    await setRole(service, id, 'viewer');
    expect(await reached()).to.eql(['webhooks:read', 'orders:read']);
    await setRole(service, id, 'accountant');
    expect(await reached()).to.eql(['orders:read']);
  });

  it('H118: an area that the key does not name is none, on the command line too', async () => {
    const webhooks = new RestClient(service.url, (await byCommand('--webhooks', 'read')).token);
    expect((await webhooks.get(endpointsPath)).status).to.equal(200);
    expect((await webhooks.get('/v1/commerce/orders')).status).to.equal(403);
    const orders = new RestClient(service.url, (await byCommand('--orders', 'write')).token);
    expect((await orders.get(endpointsPath)).status).to.equal(403);
    expect((await orders.get('/v1/commerce/orders')).status).to.equal(200);
  });

  it('H118: names the levels of every credential to operators, in GraphQL and on the command line', async () => {
    const own = await createTenant(service);
    const made = [
      await own.credential({ kind: 'live', level: 'read', role: 'accountant' }),
      await own.credential({ kind: 'dashboard', webhooks: 'read', orders: 'none' }),
    ].map(({ id }) => id);

    const query = `query ($account: ID!) {
      credentials(account: $account) { id kind level webhooks orders } }`;
    const { credentials } = await own.graphql<{ credentials: { id: string }[] }>(query, own);
    expect(credentials.filter(({ id }) => made.includes(id))).to.eql([
      { id: made[0], kind: 'live', level: 'read', webhooks: 'read', orders: 'read' },
      { id: made[1], kind: 'dashboard', level: 'restricted', webhooks: 'read', orders: 'none' },
    ]);

    const list = ['credentials', 'list', '--account', own.account];
    const listed = (await adminJson(service.environment, list)) as object[];
    expect(listed.slice(-2)).to.containSubset([{ level: 'read' }, { level: 'restricted' }]);

    const { stdout } = await admin(service.environment, ...list);
    expect(stdout).to.match(
      new RegExp(`^${made[1]}  dashboard …\\w{4}  restricted  webhooks read, orders none  `, 'm'),
    );
  });

  it('refuses levels beside those of the areas, and areas of a credential that may do everything', async () => {
    const refused = async (...args: string[]) => {
      const words = ['credentials', 'create', '--account', tenant.account, ...args];
      const { code, stderr } = await admin(service.environment, ...words);
      expect(code).to.equal(1);
      return stderr.trim();
    };
    expect(await refused('--kind', 'live', '--level', 'full', '--orders', 'read')).to.match(
      /^level: /,
    );
    expect(await refused('--kind', 'live', '--level', 'restricted')).to.match(/^level: .*webhooks/);
    expect(await refused('--kind', 'internal', '--orders', 'none')).to.match(/^kind: /);
    expect(await refused('--kind', 'live', '--orders', 'some')).to.match(/none, read, write/);
  });
});
