import { expect } from 'chai';
import { GraphQLObjectType } from 'graphql';
import type { Viewer } from '../../../src/domain/account/credentials.js';
import { type Level, levels } from '../../../src/domain/account/permission.js';
import type { RequiredPermission } from '../../../src/graphql/access.js';
import { buildSchema } from '../../../src/graphql/schema.js';
import {
  Client,
  createEndpointMutation,
  endpointQuery,
  publishMutation,
  unknown,
  updateEndpointMutation,
  createFixture,
  type Fixture,
  checkoutInput,
  endpointInput,
  event,
} from './fixture.js';
import type { ErrorExtensions } from '../../../src/http/graphql/errors.js';

const id = '"x_0"';
const endpoint =
  '{ url: "https://shop.example/", eventTypes: ["x"], notificationEmail: "a@b.example" }';
const offer = `{ recipientEmail: "a@b.example", title: "t", currency: "EUR",
  lineItems: [{ name: "n", quantity: 1, unitAmountMinorUnits: 1 }] }`;

/** What each operation asks of its caller, written down by hand; what is not here is internal. */
const needs: Readonly<Record<Exclude<RequiredPermission, 'internal'>, readonly string[]>> = {
  'webhooks:read': [
    `{ webhookEndpoint(id: ${id}) { id } }`,
    '{ webhookEndpoints { data { id } } }',
    `{ webhookDelivery(id: ${id}) { id } }`,
    '{ webhookDeliveries { data { id } } }',
    '{ eventTypes { data { id } } }',
    `{ eventType(id: ${id}) { id } }`,
    `{ previewRecovery(input: { endpoint: ${id}, what: both }) { failed } }`,
    `{ recovery(id: ${id}) { id } }`,
    '{ recoveries { data { id } } }',
    `{ event(id: ${id}) { id } }`,
    '{ events { data { id } } }',
    `{ endpointHealth(id: ${id}) { id } }`,
    '{ retrySchedules { name } }',
    `{ heldSubjects(endpoint: ${id}) { subject } }`,
    `{ eventAtEndpoint(event: ${id}, endpoint: ${id}) { state } }`,
    '{ deliveryLag { oldestDueSeconds } }',
    '{ webhookStatistics(since: "2026-11-20T00:00:00Z", by: day) { attempts } }',
    '{ endpointFailures(since: "2026-11-20T00:00:00Z") { failed } }',
  ],
  'webhooks:write': [
    `mutation { createWebhookEndpoint(input: ${endpoint}) { id } }`,
    `mutation { updateWebhookEndpoint(id: ${id}, input: {}) { id } }`,
    `mutation { replaceEventSubscriptions(id: ${id}, eventTypes: ["x"]) { id } }`,
    `mutation { setEndpointRateLimit(id: ${id}, maxPerSecond: 1) { id } }`,
    `mutation { setEndpointOptions(id: ${id}, input: {}) { id } }`,
    `mutation { giveUpDelivery(id: ${id}) }`,
    `{ tryEndpointFilter(id: ${id}, filter: "$.data.a == 1") { id } }`,
    `mutation { deleteWebhookEndpoint(id: ${id}) }`,
    `mutation { rotateEndpointPublicKey(id: ${id}) { id } }`,
    `mutation { rotateSigningSecret(id: ${id}) { id } }`,
    `mutation { replayDelivery(id: ${id}) { id } }`,
    `mutation {
      startRecovery(input: { endpoint: ${id}, what: both, idempotencyKey: "k" }) { id } }`,
    ...['pauseRecovery', 'resumeRecovery', 'cancelRecovery'].map(
      (name) => `mutation { ${name}(id: ${id}) { id } }`,
    ),
    `mutation { sendTestEvent(input: { endpoint: ${id}, type: "x" }) { id } }`,
  ],
  'orders:read': [
    ...['checkout', 'order', 'payment', 'refund', 'invoice', 'offer'].map(
      (name) => `{ ${name}(id: ${id}) { id } }`,
    ),
    ...['checkouts', 'orders', 'payments', 'refunds', 'invoices', 'offers'].map(
      (name) => `{ ${name} { data { id } } }`,
    ),
  ],
  'orders:write': [
    `mutation { refundPayment(id: ${id}, input: {}) { id } }`,
    `mutation { createOffer(input: ${offer}) { id } }`,
    ...['sendOffer', 'resendOffer', 'cancelOffer'].map(
      (name) => `mutation { ${name}(id: ${id}) { id } }`,
    ),
  ],
};
const internal = [
  'account',
  'accounts',
  'findAccounts',
  'accountTotals',
  'credentials',
  'serviceStatus',
  'deadLetter',
  'deadLetters',
  'createAccount',
  'setSendsTraceparent',
  'lookUpId',
  'eventTrail',
  'createCheckout',
  'publishEvent',
  'publishEvents',
  'recordPayment',
  'releaseIsolatedDeliveries',
  'releaseDeadLetter',
  'retireEventType',
  'putEventType',
  'applyCatalogue',
  'unlistEventType',
  'eraseAccount',
  'eraseBuyer',
  'erasure',
  'erasures',
];
/** The operations for sessions of owners and admins, and for operators. */
const administrators = [
  'auditLog',
  'members',
  'apiKeys',
  'createMember',
  'changeMemberRole',
  'removeMember',
  'createCredential',
  'revokeCredential',
  'createPortalLink',
  'updatePortalSettings',
  'portalSettings',
  'portalLinks',
  'portalSessions',
  'endPortalSession',
  'endPortalSessions',
];
/** The operations for every credential. */
const everyone = ['viewer', 'sessions', 'endSession', 'endOtherSessions'];

describe('permissions on /graphql', () => {
  let fixture: Fixture;
  let client: Client;

  before(async () => {
    fixture = await createFixture();
    client = new Client(fixture);
    await client.start();
  });

  after(async () => {
    await client.stop();
    await fixture.drop();
  });

  it('the test covers every operation that is not internal', () => {
    const { Query, Mutation } = buildSchema().getTypeMap();
    const all = [Query, Mutation].flatMap((type) =>
      type instanceof GraphQLObjectType ? Object.keys(type.getFields()) : [],
    );
    const named = Object.values(needs)
      .flat()
      .map((text) => /\{\s+(\w+)/.exec(text)?.[1]);
    expect([...named, ...internal, ...administrators, ...everyone]).to.have.members(all);
  });

  it('H88, H118: checks the token’s own level for each area by itself', async () => {
    for (const webhooks of levels) {
      for (const orders of levels) {
        const viewer = await fixture.viewer('dashboard', { webhooks, orders });

        for (const [need, documents] of Object.entries(needs)) {
          const [area, level] = need.split(':') as ['webhooks' | 'orders', Level];
          const reaches = levels.indexOf({ webhooks, orders }[area]) >= levels.indexOf(level);
          for (const document of documents) {
            const what = `${document} with webhooks ${webhooks}, orders ${orders}`;
            expect((await codeOf(viewer, document)) !== 'forbidden', what).to.equal(reaches);
          }
        }
      }
    }
  });

  it('H89, H118: the role of the token’s holder lowers its levels', async () => {
    const levelsOf = { webhooks: 'write', orders: 'write' } as const;
    const accountant = await fixture.viewer('dashboard', { role: 'accountant', ...levelsOf });
    expect(accountant.permissions).to.deep.equal({ webhooks: 'none', orders: 'read' });
    const viewer = await fixture.viewer('dashboard', { role: 'viewer', webhooks: 'write' });
    expect(viewer.permissions).to.deep.equal({ webhooks: 'read', orders: 'none' });
  });

  it('shows each caller its permissions, its account and the holder of its credential', async () => {
    const document = `{ viewer {
      account { id name } member { id email role } permissions { webhooks orders } } }`;
    const account = fixture.account;

    for (const kind of ['dashboard', 'internal'] as const) {
      const viewer = await fixture.viewer(kind, { account, role: 'accountant' });
      const answer = await client.answer(viewer, document);
      expect(answer['viewer']).to.deep.include({
        permissions: { webhooks: 'none', orders: 'read' },
      });
      expect(answer['viewer']).to.have.nested.property('account.id', account);

      expect(answer['viewer']).to.deep.nested.include({
        'member.id': viewer.member,
        'member.role': 'accountant',
      });
    }
  });

  /** The code of the refusal; undefined if it was not refused. */
  async function codeOf(viewer: Viewer, document: string): Promise<string | undefined> {
    const { refusal } = await client.run(viewer, document);
    return refusal?.code;
  }
});

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

  describe('the account of an operation', () => {
    it('acts for the account that an internal credential names, not for the one that holds it', async () => {
      const { endpoint: id, account } = fixture;
      const data = await client.answer(internal, endpointQuery, { id, account });
      expect(data['webhookEndpoint']).to.deep.equal({ id, url: endpointInput.url });
    });

    it('refuses an internal credential that names no account', async () => {
      const { code, errors } = await client.refusal(internal, endpointQuery, {
        id: fixture.endpoint,
      });
      expect(code).to.equal('validation_failed');
      expect(errors[0]).to.include({ code: 'required', param: 'account' });
    });

    it('refuses an account that does not exist', async () => {
      const account = unknown(fixture.account);
      const input = { ...event, account };
      expect((await client.refusal(internal, publishMutation, { input })).code).to.equal(
        'not_found',
      );
      const variables = { id: fixture.endpoint, account };
      expect((await client.refusal(internal, endpointQuery, variables)).code).to.equal('not_found');
    });

    it('acts for the own account of a dashboard token, named or not, and for no other', async () => {
      const { endpoint: id, account, other } = fixture;
      await client.answer(dashboard, endpointQuery, { id });
      await client.answer(dashboard, endpointQuery, { id, account });
      const refused = await client.refusal(dashboard, endpointQuery, { id, account: other });
      expect(firstOf(refused)).to.deep.equal({ code: 'forbidden', cause: 'permission_missing' });
    });

    it('H91: answers alike to objects of another account and unknown ones', async () => {
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

  describe('the permission of an operation', () => {
    it('H88: checks the permission before it looks anything up', async () => {
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

      const write = await client.refusal(viewer, createEndpointMutation, { input: endpointInput });
      expect(write.detail).to.equal(
        'This operation requires the `webhooks` permission at write level.',
      );
      await client.answer(accountant, 'query q($id: ID!) { checkout(id: $id) { id } }', {
        id: fixture.checkout,
      });
    });

    it('requires an internal credential for what only internal tools do', async () => {
      const input = { account: fixture.account };
      const operations: [string, object][] = [
        [publishMutation, { input: { ...input, ...event } }],
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

    it('requires an internal credential or a session for what administers an account', async () => {
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

  describe('the notification address', () => {
    const change = { notificationEmail: 'new@shop.example' };

    it('/graphql keeps the notification address that the dashboard set at creation', async () => {
      const { createWebhookEndpoint: created } = await client.answer(
        dashboard,
        createEndpointMutation,
        {
          input: endpointInput,
        },
      );
      expect(created).to.include({ notificationEmail: endpointInput.notificationEmail });

      const variables = { id: created?.['id'], input: change };
      expect((await client.refusal(dashboard, updateEndpointMutation, variables)).code).to.equal(
        'forbidden',
      );

      const same = {
        id: created?.['id'],
        input: { description: 'd', notificationEmail: endpointInput.notificationEmail },
      };

      expect(
        (await client.answer(dashboard, updateEndpointMutation, same))['updateWebhookEndpoint'],
      ).to.include({
        description: 'd',
      });
    });

    it('/v1 replaces the notification address for the same token', async () => {
      const { createWebhookEndpoint: created } = await client.answer(
        dashboard,
        createEndpointMutation,
        {
          input: endpointInput,
        },
      );
      const variables = { id: created?.['id'], input: change };
      const { data } = await client.run(dashboard, updateEndpointMutation, variables, {
        transport: 'rest',
      });
      expect(data?.['updateWebhookEndpoint']).to.include(change);
    });
  });
});
