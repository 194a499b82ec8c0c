import { expect } from 'chai';
import type { Viewer } from '../../../src/domain/account/credentials.js';
import type { ErrorExtensions } from '../../../src/graphql/errors.js';
import {
  Client,
  createEndpoint,
  endpointQuery,
  publish,
  unknown,
  updateEndpoint,
} from './client.js';
import { createFixture, checkoutInput, endpointInput, event, type Fixture } from './fixture.js';

describe('operations on /graphql', () => {
  let fixture: Fixture;
  let client: Client;
  let internal: Viewer;
  let dashboard: Viewer;

  before(async () => {
    fixture = await createFixture();
    client = new Client(fixture);
    await client.start();
    internal = await fixture.viewer('internal', { account: fixture.other, role: 'viewer' });
    dashboard = await fixture.viewer('dashboard');
  });

  after(async () => {
    await client.stop();
    await fixture.drop();
  });

  const firstOf = ({ code, errors }: ErrorExtensions) => ({ code, cause: errors[0]?.code });

  describe('act for', () => {
    it('the account that an internal credential names, not the one that holds it', async () => {
      const { endpoint: id, account } = fixture;
      const data = await client.answer(internal, endpointQuery, { id, account });
      expect(data['webhookEndpoint']).to.deep.equal({ id, url: endpointInput.url });
    });

    it('no account when an internal credential names none', async () => {
      const { code, errors } = await client.refusal(internal, endpointQuery, {
        id: fixture.endpoint,
      });
      expect(code).to.equal('validation_failed');
      expect(errors[0]).to.include({ code: 'required', param: 'account' });
    });

    it('no account when it does not exist', async () => {
      const account = unknown(fixture.account);
      const input = { ...event, account };
      expect((await client.refusal(internal, publish, { input })).code).to.equal('not_found');
      const variables = { id: fixture.endpoint, account };
      expect((await client.refusal(internal, endpointQuery, variables)).code).to.equal('not_found');
    });

    it('the own account of a dashboard token, named or not, and no other', async () => {
      const { endpoint: id, account, other } = fixture;
      await client.answer(dashboard, endpointQuery, { id });
      await client.answer(dashboard, endpointQuery, { id, account });
      const refused = await client.refusal(dashboard, endpointQuery, { id, account: other });
      expect(firstOf(refused)).to.deep.equal({ code: 'forbidden', cause: 'permission_missing' });
    });

    it('H91: no other account, whose objects get the same response as unknown ones', async () => {
      const { account, other, endpoint, delivery, checkout } = fixture;
      const operations: [string, string][] = [
        [
          'query q($id: ID!, $account: ID) { webhookEndpoint(id: $id, account: $account) { id } }',
          endpoint,
        ],
        [
          'query q($id: ID!, $account: ID) { webhookDelivery(id: $id, account: $account) { id } }',
          delivery,
        ],
        [
          'query q($id: ID!, $account: ID) { checkout(id: $id, account: $account) { id } }',
          checkout,
        ],
        [
          'mutation m($id: ID!, $account: ID) { deleteWebhookEndpoint(id: $id, account: $account) }',
          endpoint,
        ],
        [
          'mutation m($id: ID!, $account: ID) { rotateSigningSecret(id: $id, account: $account) { id } }',
          endpoint,
        ],
        [
          'mutation m($id: ID!, $account: ID) { replayDelivery(id: $id, account: $account) { id } }',
          delivery,
        ],
        [
          'mutation m($id: ID!, $account: ID) { updateWebhookEndpoint(id: $id, account: $account, input: {}) { id } }',
          endpoint,
        ],
        [
          'mutation m($id: ID!, $account: ID) { replaceEventSubscriptions(id: $id, account: $account, eventTypes: ["x"]) { id } }',
          endpoint,
        ],
      ];
      for (const [query, id] of operations) {
        const foreign = await client.refusal(internal, query, { id, account: other });
        const none = await client.refusal(internal, query, { id: unknown(id), account });
        expect(foreign, query).to.deep.equal(none);
        expect(foreign.code, query).to.equal('not_found');
      }
    });
  });

  describe('ask for permission', () => {
    it('H88: before anything is looked up', async () => {
      const accountant = await fixture.viewer('dashboard', { role: 'accountant' });
      const viewer = await fixture.viewer('dashboard', { role: 'viewer' });
      const read = await client.refusal(accountant, endpointQuery, {
        id: unknown(fixture.endpoint),
      });
      expect(firstOf(read)).to.deep.equal({ code: 'forbidden', cause: 'permission_missing' });
      expect(read.detail).to.equal(
        'This operation requires the `webhooks` permission at read level.',
      );
      await client.answer(viewer, endpointQuery, { id: fixture.endpoint });

      const write = await client.refusal(viewer, createEndpoint, { input: endpointInput });
      expect(write.detail).to.equal(
        'This operation requires the `webhooks` permission at write level.',
      );
      await client.answer(accountant, 'query q($id: ID!) { checkout(id: $id) { id } }', {
        id: fixture.checkout,
      });
    });

    it('of internal credentials for what only internal tools do', async () => {
      const input = { account: fixture.account };
      const operations: [string, object][] = [
        [publish, { input: { ...input, ...event } }],
        [
          'mutation m($input: CreateCheckoutInput!) { createCheckout(input: $input) { id } }',
          { input: { ...input, ...checkoutInput } },
        ],
        [
          'mutation m($input: RecordPaymentInput!) { recordPayment(input: $input) { thankYouUrl } }',
          { input: { checkout: fixture.checkout } },
        ],
        ['mutation { createAccount(input: { name: "x" }) { id } }', {}],
        ['mutation { retireEventType(id: "offer.sent") { id } }', {}],
        ['mutation { unlistEventType(id: "offer.sent") { id } }', {}],
        ['{ deadLetters { id } }', {}],
        ['mutation { releaseDeadLetter(id: "pdl_0") { id } }', {}],
        ['mutation { releaseIsolatedDeliveries }', {}],
        ['{ accounts { id } }', {}],
        ['query q($account: ID!) { account(id: $account) { id } }', input],
        ['query q($account: ID!) { credentials(account: $account) { id } }', input],
      ];
      for (const [query, variables] of operations) {
        const refused = await client.refusal(dashboard, query, variables);
        expect(refused.detail, query).to.equal('This operation requires an internal credential.');
      }
    });

    it('of internal credentials or sessions for what administers an account', async () => {
      const input = { account: fixture.account };
      const operations: [query: string, variables: object][] = [
        [
          'mutation m($account: ID!) { createMember(input: { account: $account, email: "a@b.example", role: owner }) { id } }',
          input,
        ],
        [
          'mutation m($account: ID!) { createCredential(input: { account: $account, kind: internal }) { token } }',
          input,
        ],
        ['mutation { revokeCredential(id: "crd_0") }', {}],
        [
          'mutation m($account: ID!) { changeMemberRole(input: { account: $account, member: "mem_0", role: owner }) { id } }',
          input,
        ],
      ];
      for (const [query, variables] of operations) {
        const refused = await client.refusal(dashboard, query, variables);
        expect(refused.detail, query).to.equal(
          'This operation requires a session of an owner or an admin.',
        );
      }
    });
  });

  describe('keep the notification address', () => {
    const change = { notificationEmail: 'new@shop.example' };

    it('as the dashboard set it at creation', async () => {
      const { createWebhookEndpoint: made } = await client.answer(dashboard, createEndpoint, {
        input: endpointInput,
      });
      expect(made).to.include({ notificationEmail: endpointInput.notificationEmail });

      const variables = { id: made?.['id'], input: change };
      expect((await client.refusal(dashboard, updateEndpoint, variables)).code).to.equal(
        'forbidden',
      );

      const same = {
        id: made?.['id'],
        input: { description: 'd', notificationEmail: endpointInput.notificationEmail },
      };

      expect(
        (await client.answer(dashboard, updateEndpoint, same))['updateWebhookEndpoint'],
      ).to.include({
        description: 'd',
      });
    });

    it('replaceable for the same token on /v1', async () => {
      const { createWebhookEndpoint: made } = await client.answer(dashboard, createEndpoint, {
        input: endpointInput,
      });
      const variables = { id: made?.['id'], input: change };
      const { data } = await client.run(dashboard, updateEndpoint, variables, {
        transport: 'rest',
      });
      expect(data?.['updateWebhookEndpoint']).to.include(change);
    });
  });
});
