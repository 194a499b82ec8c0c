import { expect } from 'chai';
import type { CredentialInput } from '../../src/domain/account/credentials.js';
import {
  createEndpoint,
  endpointsPath,
  type EndpointBody,
  type Envelope,
} from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { RestClient } from '../support/rest-client.js';
import { type Service, sharedService } from '../support/service.js';
import {
  callGraphql,
  createTenant,
  setRole,
  type GraphqlRefusal,
  type Tenant,
} from '../support/tenants.js';

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

  it('H226: says when a key was used last, at most an hour behind', async () => {
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

  it('H250: adds no person at .invalid, and lists whoever is not the holder of one credential', async () => {
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

  it('lets an internal credential act for any account that it names, and for none unnamed', async () => {
    const other = await createTenant(service);
    const { id } = await createEndpoint(other.rest);
    const { token } = await issue({ kind: 'internal' });
    expect(await ask(token, endpoints, { account: other.account })).to.deep.equal({
      webhookEndpoints: { data: [{ id }] },
    });
    expect((await refusal(token, endpoints))?.code).to.equal('validation_failed');
  });

  it('keeps a dashboard token to its own account', async () => {
    const other = await createTenant(service);
    const { id } = await createEndpoint(other.rest);
    const { token } = await issue({ kind: 'dashboard' });
    expect((await refusal(token, endpoints, { account: other.account }))?.code).to.equal(
      'forbidden',
    );
    expect((await refusal(token, update, { id, input: {} }))?.code).to.equal('not_found');
  });

  it('keeps what only internal tools do from a dashboard token', async () => {
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

  it('H89: caps a dashboard token by the role that its holder has at this moment', async () => {
    const { id, token } = await issue({ kind: 'dashboard', role: 'viewer' });
    expect(await refusal(token, endpoints)).to.equal(undefined);
    expect((await refusal(token, create, { input }))?.code).to.equal('forbidden');
    await setRole(service, id, 'developer');
    expect(await refusal(token, create, { input })).to.equal(undefined);
    await setRole(service, id, 'accountant');
    expect((await refusal(token, endpoints))?.code).to.equal('forbidden');
  });

  it('sets notification_email with a dashboard token at creation, and never afterwards', async () => {
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

  it('replaces notification_email for the same token through PATCH /v1', async () => {
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
