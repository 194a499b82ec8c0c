import { expect } from 'chai';
import type { CredentialInput } from '../../src/domain/account/credentials.js';
import { createCheckout } from '../support/sales.js';
import {
  endpointsPath,
  toProblem,
  createEndpoint,
  type EndpointBody,
  type Envelope,
} from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { call, publicOperations, unknownSubjects } from '../support/every-operation.js';
import { sendRaw, type Reply, RestClient } from '../support/rest-client.js';
import { type Service, sharedService } from '../support/service.js';
import {
  createTenant,
  setRole,
  type Tenant,
  callGraphql,
  type GraphqlRefusal,
} from '../support/tenants.js';
import type { Area, Level } from '../../src/domain/account/permission.js';
import { admin, adminJson } from '../support/admin.js';

const webhooks = publicOperations.filter(({ permission }) => permission.startsWith('webhooks:'));

describe('credentials on /v1', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  const issue = (input: Omit<CredentialInput, 'account'>) => tenant.credential(input);

  const client = (input: Omit<CredentialInput, 'account'>) => tenant.client(input);

  const withToken = (token: string) => new RestClient(service.url, token);

  /** The code of a 401; undefined when the credential was let in. */
  async function refusalOf(
    rest: RestClient,
    operation = webhooks[1]!,
  ): Promise<string | undefined> {
    const reply = await call(rest, operation);
    return reply.status === 401 ? codeOf(reply) : undefined;
  }

  it('H86: accepts keys of both prefixes and refuses the reserved one', async () => {
    const live = await issue({ kind: 'live' });
    const legacy = await issue({ kind: 'legacy' });
    expect(live.token).to.match(/^sk_live_[0-9A-Za-z]+$/);
    expect(legacy.token).to.match(/^live_[0-9A-Za-z]+$/);
    expect(await refusalOf(withToken(live.token))).to.equal(undefined);
    expect(await refusalOf(withToken(legacy.token))).to.equal(undefined);
    const test = withToken(live.token.replace('sk_live_', 'sk_test_'));
    for (const operation of publicOperations) {
      expect(await refusalOf(test, operation), operation.id).to.equal(
        'credential_kind_not_accepted',
      );
    }
  });

  it('H86: refuses a dashboard token after one hour, and says that it expired', async () => {
    const { id, token } = await issue({ kind: 'dashboard' });
    expect(token).to.match(/^dst_[0-9A-Za-z]+$/);
    expect(await refusalOf(withToken(token))).to.equal(undefined);

    const [row] = await service.database.query<{ seconds: number }>(
      `select extract(epoch from expires_at - created_at)::int as seconds
           from credential where id = $1`,
      [id],
    );

    expect(row?.seconds).to.equal(3_600);

    await service.database.query(
      `update credential set created_at = created_at - interval '1 hour',
           expires_at = expires_at - interval '1 hour' where id = $1`,
      [id],
    );

    await eventually(
      async () => expect(await refusalOf(withToken(token))).to.equal('expired_credential'),
      'the token has expired',
    );
  });

  it('H86: refuses a revoked key at once, and says that it was revoked', async () => {
    const { id, token } = await issue({ kind: 'live' });
    expect(await refusalOf(withToken(token))).to.equal(undefined);
    await tenant.graphql(
      'mutation ($id: ID!, $account: ID!) { revokeCredential(id: $id, account: $account) }',
      { id, account: tenant.account },
    );
    expect(await refusalOf(withToken(token))).to.equal('revoked_credential');
  });

  it('H86: stores nothing of a token but its hash and its last four characters', async () => {
    const { id, token } = await issue({ kind: 'live' });
    await refusalOf(withToken(token));
    const [row] = await service.database.query<{ text: string }>(
      'select to_json(credential)::text as text from credential where id = $1',
      [id],
    );
    expect(row?.text).to.include(token.slice(-4));
    expect(row?.text).not.to.include(token.slice(-5));
    expect(service.api.lines.join('\n')).not.to.include(token.slice(8));
  });

  it('H87, A29: accepts live, legacy and dashboard credentials for webhooks, internal ones for nothing', async () => {
    for (const kind of ['live', 'legacy', 'dashboard'] as const) {
      const rest = await client({ kind });
      for (const operation of webhooks) {
        const { status } = await call(rest, operation);
        expect(status, `${kind} ${operation.id}`).to.be.oneOf([200, 201, 404]);
      }
    }

    const internal = await client({ kind: 'internal' });

    for (const operation of publicOperations) {
      expect(await refusalOf(internal, operation), operation.id).to.equal(
        'credential_kind_not_accepted',
      );
    }
  });

  it('H87, A28: accepts API keys for a checkout, and answers 401 to a dashboard token', async () => {
    const path = `/v1/commerce/checkouts/${await createCheckout(tenant)}`;
    for (const kind of ['live', 'legacy'] as const) {
      expect((await (await client({ kind })).get(path)).status).to.equal(200);
    }
    const refused = await (await client({ kind: 'dashboard' })).get(path);
    expect(toProblem(refused, 401).errors).to.deep.equal([
      {
        code: 'credential_kind_not_accepted',
        detail: 'This operation accepts live API keys only.',
      },
    ]);
  });

  it('H88: requires the permission and level of each operation, and names it', async () => {
    const none = await client({ kind: 'live', role: 'accountant' });
    const read = await client({ kind: 'live', role: 'viewer' });

    for (const operation of publicOperations) {
      const [name, level] = operation.permission.split(':') as [string, string];
      const memberWithoutRole = await call(none, operation);
      const reader = await call(read, operation);
      const beyondAccountant = name === 'webhooks' || level === 'write';
      expect(memberWithoutRole.status === 403, `none ${operation.id}`).to.equal(beyondAccountant);
      expect(reader.status === 403, `read ${operation.id}`).to.equal(level === 'write');

      for (const reply of [memberWithoutRole, reader].filter(({ status }) => status === 403)) {
        const { code, errors } = toProblem(reply, 403);
        expect(code).to.equal('forbidden');
        expect(errors.map((entry) => entry.code)).to.deep.equal(['permission_missing']);
        expect(errors[0]?.detail).to.include(`\`${name}\` permission at ${level} level`);
      }
    }
  });

  it('H89: allows what both the level of the key and the role of its holder allow', async () => {
    const allowed = {
      owner: ['webhooks:read', 'webhooks:write', 'orders:read', 'orders:write'],
      admin: ['webhooks:read', 'webhooks:write', 'orders:read', 'orders:write'],
      developer: ['webhooks:read', 'webhooks:write', 'orders:read'],
      accountant: ['orders:read'],
      viewer: ['webhooks:read', 'orders:read'],
    } as const;

    const samples = [
      'webhooks.endpoints.list',
      'webhooks.endpoints.delete',
      'commerce.checkouts.retrieve',
      'commerce.payments.refunds.create',
    ].map((id) => publicOperations.find((operation) => operation.id === id)!);

    for (const role of Object.keys(allowed) as (keyof typeof allowed)[]) {
      for (const level of ['full', 'read'] as const) {
        const rest = await client({ kind: 'live', role, level });
        const reached: string[] = [];

        for (const operation of samples) {
          if ((await call(rest, operation)).status !== 403) reached.push(operation.permission);
        }

        expect(reached, `${role} ${level}`).to.deep.equal(
          allowed[role].filter((need) => level === 'full' || !need.endsWith(':write')),
        );
      }
    }
  });

  it('H89: follows the present role of the holder', async () => {
    const { id, token } = await issue({ kind: 'live', role: 'viewer' });
    const create = () => call(withToken(token), publicOperations[0]!);
    expect((await create()).status).to.equal(403);
    await setRole(service, id, 'developer');
    expect((await create()).status).to.equal(201);
    await setRole(service, id, 'accountant');
    expect((await create()).status).to.equal(403);
    expect((await withToken(token).get(endpointsPath)).status).to.equal(403);
  });

  it('H90, A31: answers 401 with a challenge on every operation', async () => {
    const wrong = withToken('sk_live_000000000000000000000000000000000000000000A');
    for (const operation of publicOperations) {
      const missing = await call(new RestClient(service.url), operation);
      expect(codeOf(missing), operation.id).to.equal('missing_credential');
      expect(missing.headers['www-authenticate']).to.equal('Bearer realm="api"');
      const invalid = await call(wrong, operation);
      expect(codeOf(invalid), operation.id).to.equal('invalid_credential');
      expect(invalid.headers['www-authenticate']).to.equal(
        'Bearer realm="api", error="invalid_token"',
      );
    }
  });

  it('H90: accepts the scheme in any case, and nothing else', async () => {
    const { token } = await issue({ kind: 'live' });
    const ask = (authorization: string | string[]) =>
      new RestClient(service.url).get(endpointsPath, { headers: { authorization } });

    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
      expect((await ask(`${scheme} ${token}`)).status, scheme).to.equal(200);
    }

    for (const value of [
      token,
      `Basic ${token}`,
      `Token ${token}`,
      'Bearer',
      `Bearer${token}`,
      `Bearer "${token}"`,
      `Bearer ${token} x`,
      `Bearer ${token}, Bearer ${token}`,
      `Bearer ${token.toUpperCase()}`,
    ]) {
      expect(codeOf(await ask(value)), value).to.equal('invalid_credential');
    }

    const twice = await sendRaw(
      service.url,
      `GET ${endpointsPath} HTTP/1.1\r\nHost: api\r\nConnection: close\r\n`,
      `Authorization: Bearer ${token}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    expect(codeOf(twice)).to.equal('invalid_credential');
  });

  it('H91: checks permission before existence, key and body', async () => {
    const viewer = await client({ kind: 'live', role: 'viewer' });
    for (const operation of webhooks.filter(({ method }) => method !== 'GET')) {
      const headers = { 'content-type': 'application/json' };
      const reply = await call(viewer, operation, unknownSubjects, {
        key: null,
        bytes: '{',
        headers,
      });
      expect(reply.status, operation.id).to.equal(403);
    }
  });
});

/** The one reason that a 401 gives. */
function codeOf(reply: Reply): string | undefined {
  const { code, errors } = toProblem(reply, 401);
  expect(code).to.equal('unauthorized');
  expect(errors).to.have.lengthOf(1);
  return errors[0]?.code;
}

describe('credentials on /graphql', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  const issue = (input: Omit<CredentialInput, 'account'>) => tenant.credential(input);

  const ask = (token: string, query: string, variables: object = {}) =>
    callGraphql<Record<string, unknown>>(service, token, query, variables);

  const refusal = (token: string, query: string, variables: object = {}) =>
    ask(token, query, variables).then(
      () => undefined,
      (error: unknown) => error as GraphqlRefusal,
    );

  const endpoints = 'query ($account: ID) { webhookEndpoints(account: $account) { data { id } } }';
  const create = `mutation ($input: CreateWebhookEndpointInput!) {
      createWebhookEndpoint(input: $input) { id notificationEmail } }`;
  const update = `mutation ($id: ID!, $input: UpdateWebhookEndpointInput!) {
      updateWebhookEndpoint(id: $id, input: $input) { id notificationEmail description } }`;
  const input = {
    url: 'https://shop.example.com/webhooks',
    eventTypes: ['cart.order.completed'],
    notificationEmail: 'dashboard@shop.example.com',
  };

  it('H87: refuses API keys by their kind', async () => {
    for (const kind of ['live', 'legacy'] as const) {
      const refused = await refusal(
        (await issue({ kind })).token,
        '{ eventTypes { data { id } } }',
      );

      expect(refused?.status).to.equal(401);

      expect(refused?.extensions['errors']).to.deep.equal([
        {
          code: 'credential_kind_not_accepted',
          detail: 'This operation accepts internal credentials and dashboard tokens.',
        },
      ]);
    }
  });

  it('H226: says when a key was last used, at most an hour late', async () => {
    const { id, token } = await issue({ kind: 'live' });
    const internal = (await issue({ kind: 'internal' })).token;
    const list = 'query ($account: ID!) { credentials(account: $account) { id lastUsedAt } }';
    const lastUse = async () => {
      const { credentials } = await ask(internal, list, { account: tenant.account });
      const keys = credentials as { id: string; lastUsedAt: string | null }[];
      return keys.find((key) => key.id === id)?.lastUsedAt ?? null;
    };

    const client = new RestClient(service.url, token);
    const isNoted = async () => {
      await client.get(endpointsPath);
      expect(Date.parse((await lastUse()) ?? '')).to.be.above(Date.now() - 600_000);
    };

    expect(await lastUse()).to.equal(null);
    await eventually(isNoted, 'its first use is noted');

    await service.database.query(
      `update credential set last_used_at = now() - interval '61 minutes' where id = $1`,
      [id],
    );

    await eventually(isNoted, 'a use an hour later is noted');
  });

  it('H250: adds no person at .invalid, and lists everyone who does not hold a single credential', async () => {
    const internal = (await issue({ kind: 'internal' })).token;
    const { account } = tenant;
    const mutation = 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }';
    const holder = `owner@${account.replace('_', '-').toLowerCase()}.invalid`;
    const others = ['eve@acc-1.invalid', 'eve@acc-1.INVALID', 'eve@acc-1.\uff49nvalid'];

    for (const email of [...others, holder]) {
      const refused = await refusal(internal, mutation, {
        input: { account, email, role: 'viewer' },
      });
      expect(refused?.extensions['code'], email).to.equal('validation_failed');
      expect(refused?.extensions['errors']).to.have.nested.property('[0].param', 'email');
    }

    // Releases before this one took such an address.
    await service.database.query(
      `insert into member (id, account_id, email, role, created_at)
       values ($1, $2, 'eve@acc-1.invalid', 'viewer', now())`,
      [`mem_of_${account}`, account],
    );

    const list = `query ($account: ID!) {
      members(account: $account) { email } accountTotals(account: $account) { members } }`;
    const shown = await ask(internal, list, { account });
    expect(shown['members']).to.deep.equal([{ email: 'eve@acc-1.invalid' }]);
    expect(shown['accountTotals']).to.deep.equal({ members: 1 });
  });

  it('H86: refuses revoked and expired credentials', async () => {
    const dashboard = await issue({ kind: 'dashboard' });
    const internal = await issue({ kind: 'internal' });
    const codeFor = async (token: string) => {
      const refused = await refusal(token, '{ eventTypes { data { id } } }');
      return (refused?.extensions['errors'] as { code: string }[] | undefined)?.[0]?.code;
    };

    expect(await codeFor(dashboard.token)).to.equal(undefined);
    expect(await codeFor(internal.token)).to.equal(undefined);

    await service.database.query(
      `update credential set expires_at = now() - interval '1 second' where id = $1`,
      [dashboard.id],
    );

    await service.database.query(
      `update credential set revoked_at = date_trunc('milliseconds', now()) where id = $1`,
      [internal.id],
    );

    await eventually(async () => {
      expect(await codeFor(dashboard.token)).to.equal('expired_credential');
      expect(await codeFor(internal.token)).to.equal('revoked_credential');
    }, 'both are refused');
  });

  it('lets an internal credential act for any account that it names, and requires one', async () => {
    const other = await createTenant(service);
    const { id } = await createEndpoint(other.rest);
    const { token } = await issue({ kind: 'internal' });
    expect(await ask(token, endpoints, { account: other.account })).to.deep.equal({
      webhookEndpoints: { data: [{ id }] },
    });
    expect((await refusal(token, endpoints))?.code).to.equal('validation_failed');
  });

  it('limits a dashboard token to its own account', async () => {
    const other = await createTenant(service);
    const { id } = await createEndpoint(other.rest);
    const { token } = await issue({ kind: 'dashboard' });
    expect((await refusal(token, endpoints, { account: other.account }))?.code).to.equal(
      'forbidden',
    );
    expect((await refusal(token, update, { id, input: {} }))?.code).to.equal('not_found');
  });

  it('refuses to a dashboard token what only internal tools do', async () => {
    const { token } = await issue({ kind: 'dashboard' });
    const publish = 'mutation ($input: PublishEventInput!) { publishEvent(input: $input) { id } }';
    const event = {
      account: tenant.account,
      type: 'cart.order.completed',
      subject: 's',
      data: {},
    };
    expect((await refusal(token, publish, { input: event }))?.code).to.equal('forbidden');
    expect((await refusal(token, '{ accounts { id } }'))?.code).to.equal('forbidden');
  });

  it('H89: limits a dashboard token by the present role of its holder', async () => {
    const { id, token } = await issue({ kind: 'dashboard', role: 'viewer' });
    expect(await refusal(token, endpoints)).to.equal(undefined);
    expect((await refusal(token, create, { input }))?.code).to.equal('forbidden');
    await setRole(service, id, 'developer');
    expect(await refusal(token, create, { input })).to.equal(undefined);
    await setRole(service, id, 'accountant');
    expect((await refusal(token, endpoints))?.code).to.equal('forbidden');
  });

  it('lets a dashboard token set notification_email at creation, and never afterwards', async () => {
    const { token } = await issue({ kind: 'dashboard' });
    const created = (await ask(token, create, { input })) as {
      createWebhookEndpoint: { id: string; notificationEmail: string };
    };
    const { id, notificationEmail } = created.createWebhookEndpoint;
    expect(notificationEmail).to.equal(input.notificationEmail);

    const changes = { description: 'x', notificationEmail: 'other@shop.example.com' };
    const refused = await refusal(token, update, { id, input: changes });
    expect(refused?.code).to.equal('forbidden');

    expect((refused?.extensions['errors'] as object[])[0]).to.include({
      code: 'permission_missing',
      param: 'notification_email',
    });

    const path = `${endpointsPath}/${id}`;
    const shown = async () => ((await tenant.rest.get(path)).body as Envelope<EndpointBody>).data;
    expect(await shown()).to.include({
      notification_email: notificationEmail,
      description: null,
    });

    await ask(token, update, { id, input: { ...changes, notificationEmail } });
    expect(await shown()).to.include({ notification_email: notificationEmail, description: 'x' });
  });

  it('lets the same token replace notification_email through PATCH /v1', async () => {
    const { token } = await issue({ kind: 'dashboard' });
    const { id } = await createEndpoint(tenant.rest);
    const reply = await new RestClient(service.url, token).patch(`${endpointsPath}/${id}`, {
      notification_email: 'other@shop.example.com',
    });
    expect(reply.status).to.equal(200);
    expect((reply.body as Envelope<EndpointBody>).data.notification_email).to.equal(
      'other@shop.example.com',
    );
  });
});

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

  it('H89, H118: limits a restricted key by the present role of its holder', async () => {
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

  it('H118: grants nothing in an area that the key does not name, on the command line too', async () => {
    const webhooks = new RestClient(service.url, (await byCommand('--webhooks', 'read')).token);
    expect((await webhooks.get(endpointsPath)).status).to.equal(200);
    expect((await webhooks.get('/v1/commerce/orders')).status).to.equal(403);
    const orders = new RestClient(service.url, (await byCommand('--orders', 'write')).token);
    expect((await orders.get(endpointsPath)).status).to.equal(403);
    expect((await orders.get('/v1/commerce/orders')).status).to.equal(200);
  });

  it('H118: shows the levels of every credential to operators, in GraphQL and on the command line', async () => {
    const other = await createTenant(service);
    const keys = [
      await other.credential({ kind: 'live', level: 'read', role: 'accountant' }),
      await other.credential({ kind: 'dashboard', webhooks: 'read', orders: 'none' }),
    ].map(({ id }) => id);

    const query = `query ($account: ID!) {
      credentials(account: $account) { id kind level webhooks orders } }`;
    const { credentials } = await other.graphql<{ credentials: { id: string }[] }>(query, other);
    expect(credentials.filter(({ id }) => keys.includes(id))).to.eql([
      { id: keys[0], kind: 'live', level: 'read', webhooks: 'read', orders: 'read' },
      { id: keys[1], kind: 'dashboard', level: 'restricted', webhooks: 'read', orders: 'none' },
    ]);

    const list = ['credentials', 'list', '--account', other.account];
    const listed = (await adminJson(service.environment, list)) as object[];
    expect(listed.slice(-2)).to.containSubset([{ level: 'read' }, { level: 'restricted' }]);

    const { stdout } = await admin(service.environment, ...list);
    expect(stdout).to.match(
      new RegExp(`^${keys[1]}  dashboard …\\w{4}  restricted  webhooks read, orders none  `, 'm'),
    );
  });

  it('refuses a level together with levels of areas, and areas of a credential that may do everything', async () => {
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
