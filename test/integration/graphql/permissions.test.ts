import { expect } from 'chai';
import { GraphQLObjectType } from 'graphql';
import type { Viewer } from '../../../src/domain/account/credentials.js';
import { type Level, levels } from '../../../src/domain/account/permission.js';
import type { RequiredPermission } from '../../../src/graphql/access.js';
import { buildSchema } from '../../../src/graphql/schema.js';
import { Client } from './client.js';
import { createFixture, type Fixture } from './fixture.js';

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
    '{ deliveryLag { oldestDueSeconds } }',
    '{ webhookStatistics(since: "2026-11-20T00:00:00Z", by: day) { attempts } }',
    '{ endpointFailures(since: "2026-11-20T00:00:00Z") { failed } }',
  ],
  'webhooks:write': [
    `mutation { createWebhookEndpoint(input: ${endpoint}) { id } }`,
    `mutation { updateWebhookEndpoint(id: ${id}, input: {}) { id } }`,
    `mutation { replaceEventSubscriptions(id: ${id}, eventTypes: ["x"]) { id } }`,
    `mutation { setEndpointRateLimit(id: ${id}, maxPerSecond: 1) { id } }`,
    `mutation { deleteWebhookEndpoint(id: ${id}) }`,
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
/** What sessions of owners and admins may ask, and operators. */
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
/** What every credential may ask. */
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

  it('are asked for by every operation that is not internal', () => {
    const { Query, Mutation } = buildSchema().getTypeMap();
    const all = [Query, Mutation].flatMap((type) =>
      type instanceof GraphQLObjectType ? Object.keys(type.getFields()) : [],
    );
    const named = Object.values(needs)
      .flat()
      .map((text) => /\{\s+(\w+)/.exec(text)?.[1]);
    expect([...named, ...internal, ...administrators, ...everyone]).to.have.members(all);
  });

  it('H88, H118: are those of the token’s own level for the area, each by itself', async () => {
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

  it('H89, H118: are lowered by the role of the token’s holder', async () => {
    const levelsOf = { webhooks: 'write', orders: 'write' } as const;
    const accountant = await fixture.viewer('dashboard', { role: 'accountant', ...levelsOf });
    expect(accountant.permissions).to.deep.equal({ webhooks: 'none', orders: 'read' });
    const viewer = await fixture.viewer('dashboard', { role: 'viewer', webhooks: 'write' });
    expect(viewer.permissions).to.deep.equal({ webhooks: 'read', orders: 'none' });
  });

  it('are shown to each caller, with its account and the holder of its credential', async () => {
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

  /** Undefined: it was not refused. */
  async function codeOf(viewer: Viewer, document: string): Promise<string | undefined> {
    const { refusal } = await client.run(viewer, document);
    return refusal?.code;
  }
});
