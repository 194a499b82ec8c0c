import { expect } from 'chai';
import { type Viewer } from '../../../src/domain/account/credentials.js';
import type { Read } from '../../../src/domain/transaction/tx.js';
import { outcomes } from '../../support/engine.js';
import {
  Client,
  createEndpointMutation,
  type Data,
  publishMutation,
  unknown,
  updateEndpointMutation,
  createFixture,
  attempt,
  checkoutInput,
  endpointInput,
  event,
  type Fixture,
} from './fixture.js';
import { viewerOf } from '../../support/refusal.js';

describe('the operations of internal tools', () => {
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

  describe('publishing', () => {
    it('publishes an event once for each key and content', async () => {
      const data = { ...event.data, b: 1, a: [null] };
      const input = { ...event, account: fixture.account, key: 'k', data };
      const first = (await client.answer(internal, publishMutation, { input }))['publishEvent'];
      const again = (await client.answer(internal, publishMutation, { input }))['publishEvent'];
      expect(first).to.have.property('created', true);
      expect(again).to.deep.equal({ id: first?.['id'], created: false });
      const other = { input: { ...input, data: event.data } };
      expect((await client.refusal(internal, publishMutation, other)).code).to.equal(
        'event_key_conflict',
      );
    });

    it('refuses data that is not an object', async () => {
      const input = { ...event, account: fixture.account, data: [1] };
      const { errors } = await client.refusal(internal, publishMutation, { input });
      expect(errors[0]).to.include({ code: 'invalid_type', param: 'data' });
    });
  });

  describe('test events', () => {
    const send = 'mutation m($input: SendTestEventInput!) { sendTestEvent(input: $input) { id } }';

    it('H68: sends a test event to one endpoint, subscribed or not, once and marked', async () => {
      const { other: account } = fixture;
      const created = await client.answer(internal, createEndpointMutation, {
        account,
        input: endpointInput,
      });

      await client.answer(internal, createEndpointMutation, { account, input: endpointInput });

      const endpoint = created['createWebhookEndpoint']?.['id'];
      const input = { account, endpoint, type: 'invoice.issued' };
      const { sendTestEvent: sent } = await client.answer(internal, send, { input });

      await attempt(fixture.database, outcomes.down);

      const query = `query q($account: ID) { webhookDeliveries(account: $account, status: abandoned) { data {
        eventId eventType status test maxAttempts endpoint { id } } } }`;
      const { webhookDeliveries } = await client.answer(internal, query, { account });
      expect(webhookDeliveries?.['data']).to.deep.equal([
        {
          eventId: sent?.['id'],
          eventType: 'invoice.issued',
          status: 'abandoned',
          test: true,
          maxAttempts: 1,
          endpoint: { id: endpoint },
        },
      ]);
    });

    it('refuses a test event of a type that is not sent, or to an endpoint that is not active', async () => {
      const { endpoint } = fixture;
      for (const type of ['payment.dispute.won', 'no.such', '\0']) {
        const refused = await client.refusal(dashboard, send, { input: { endpoint, type } });
        expect(refused.errors[0]).to.include({ code: 'invalid_value', param: 'type' });
      }
      const { createWebhookEndpoint: created } = await client.answer(
        dashboard,
        createEndpointMutation,
        {
          input: { ...endpointInput, active: false },
        },
      );
      const input = { endpoint: created?.['id'], type: 'invoice.issued' };
      expect((await client.refusal(dashboard, send, { input })).code).to.equal('endpoint_inactive');
      const none = { endpoint: unknown(endpoint), type: 'invoice.issued' };
      expect((await client.refusal(dashboard, send, { input: none })).code).to.equal('not_found');
    });
  });

  it('takes a checkout from its creation to the thank-you URL', async () => {
    const create = `mutation m($input: CreateCheckoutInput!) { createCheckout(input: $input) {
      id object status order { id } metadata checkoutUrl totals { currency totalMinorUnits } } }`;
    const pay = `mutation m($input: RecordPaymentInput!) { recordPayment(input: $input) {
      thankYouUrl order { id totals { totalMinorUnits } } payment { status amountMinorUnits } invoice { number } } }`;
    const input = { ...checkoutInput, account: fixture.account };
    const created = (await client.answer(internal, create, { input }))['createCheckout'];
    expect(created).to.deep.include({
      object: 'checkout',
      status: 'open',
      order: null,
      metadata: checkoutInput.metadata,
      totals: { currency: 'EUR', totalMinorUnits: 6_000_000_000 },
    });

    const payment = { checkout: created?.['id'], account: fixture.account, key: 'p' };
    const paid = (await client.answer(internal, pay, { input: payment }))['recordPayment'];
    const again = (await client.answer(internal, pay, { input: payment }))['recordPayment'];
    expect(again).to.deep.equal(paid);

    const order = paid?.['order'] as Data;
    expect(paid?.['thankYouUrl']).to.match(/^https:\/\/shop\.example\/thanks\?order=ord_/);

    const query =
      'query q($id: ID!) { checkout(id: $id) { status order { id object } checkoutUrl } }';
    const answer = await client.answer(dashboard, query, { id: created?.['id'] });
    expect(answer['checkout']).to.deep.equal({
      status: 'completed',
      order: { id: order['id'], object: 'order' },
      checkoutUrl: null,
    });
  });

  it('creates accounts, members and credentials, and revokes a credential at once', async () => {
    const { createAccount } = await client.answer(
      internal,
      'mutation { createAccount(input: { name: "A" }) { id } }',
    );

    const account = createAccount?.['id'];
    const { createMember } = await client.answer(
      internal,
      'mutation m($account: ID!) { createMember(input: { account: $account, email: "a@b.example", role: developer }) { id role } }',
      { account },
    );

    const { createCredential } = await client.answer(
      internal,
      'mutation m($input: CreateCredentialInput!) { createCredential(input: $input) { id token } }',
      { input: { account, member: createMember?.['id'], kind: 'live', level: 'read' } },
    );

    const token = String(createCredential?.['token']);
    expect(await viewerOf(fixture.database.read, token)).to.deep.equal({
      credential: createCredential?.['id'],
      kind: 'live',
      account,
      member: createMember?.['id'],
      permissions: { webhooks: 'read', orders: 'read' },
    });

    const demote =
      'mutation m($input: ChangeMemberRoleInput!) { changeMemberRole(input: $input) { role } }';
    const input = { account, member: createMember?.['id'], role: 'accountant' };
    await client.answer(internal, demote, { input });
    expect(await viewerOf(fixture.database.read, token)).to.deep.include({
      permissions: { webhooks: 'none', orders: 'read' },
    });

    const revoke = 'mutation m($id: ID!) { revokeCredential(id: $id) }';
    await client.answer(internal, revoke, { id: createCredential?.['id'] });
    expect(await viewerOf(fixture.database.read, token)).to.equal('revoked_credential');

    const { credentials } = await client.answer(
      internal,
      'query q($account: ID!) { credentials(account: $account) { kind level last4 revokedAt } }',
      { account },
    );

    expect(credentials).to.have.lengthOf(1);
    expect(JSON.stringify(credentials)).not.to.contain(token);
  });

  it('retires and unlists event types', async () => {
    const retired = await client.answer(
      internal,
      'mutation { retireEventType(id: "offer.sent") { acceptsNewSubscriptions } }',
    );
    expect(retired['retireEventType']).to.deep.equal({ acceptsNewSubscriptions: false });
    await client.answer(internal, 'mutation { unlistEventType(id: "offer.sent") { id } }');
    const { eventTypes } = await client.answer(dashboard, '{ eventTypes { data { id } } }');
    expect(JSON.stringify(eventTypes)).not.to.contain('offer.sent');
    const none = 'mutation { retireEventType(id: "no.such") { id } }';
    expect((await client.refusal(internal, none)).code).to.equal('not_found');
  });

  it('lists and releases dead letters', async () => {
    await client.answer(internal, publishMutation, {
      input: { ...event, account: fixture.account },
    });

    const [pending] = await fixture.test.query<{ id: string }>(
      `update pending_delivery set dead_letter_reason = 'why', ready = false, lane = 'isolated'
        where id = (select id from pending_delivery where account_id = $1 and attempt = 1 limit 1) returning id`,
      [fixture.account],
    );

    const list = '{ deadLetters { id accountId endpointId eventType attempt reason } }';
    expect((await client.answer(internal, list))['deadLetters']).to.deep.equal([
      {
        id: pending?.id,
        accountId: fixture.account,
        endpointId: fixture.endpoint,
        eventType: event.type,
        attempt: 1,
        reason: 'why',
      },
    ]);

    const release = 'mutation m($id: ID!) { releaseDeadLetter(id: $id) { id reason } }';
    const released = await client.answer(internal, release, { id: pending?.id });
    expect(released['releaseDeadLetter']).to.deep.equal({ id: pending?.id, reason: 'why' });
    expect((await client.answer(internal, list))['deadLetters']).to.deep.equal([]);
    expect((await client.refusal(internal, release, { id: pending?.id })).code).to.equal(
      'not_found',
    );
  });

  it('puts isolated deliveries back, a batch at a time', async () => {
    const release = 'mutation { releaseIsolatedDeliveries }';
    await client.answer(internal, release);
    await client.answer(internal, publishMutation, {
      input: { ...event, account: fixture.account },
    });
    await fixture.test.query(
      `update pending_delivery set lane = 'isolated', interruptions = 3
        where id = (select id from pending_delivery where ready and attempt = 1 limit 1)`,
    );
    const answers = [
      await client.answer(internal, release),
      await client.answer(internal, release),
    ];
    expect(answers.map((answer) => answer['releaseIsolatedDeliveries'])).to.deep.equal([1, 0]);
  });

  describe('lists of deliveries', () => {
    it('shows deliveries with endpoint, failure and next attempt, in one statement for each', async () => {
      const { account } = fixture;
      for (let count = 0; count < 3; count += 1) {
        await client.answer(internal, publishMutation, { input: { ...event, account } });
      }

      await attempt(fixture.database, outcomes.down);

      const statements: string[] = [];
      const { read } = fixture.database;
      const counting: Read = {
        ...read,
        sql: (statement, values) => {
          statements.push(statement.name);
          return read.sql(statement, values);
        },
      };

      const query = `{ webhookDeliveries(status: failed) { data {
        id status failureReason nextAttemptAt endpoint { id url } } } }`;
      const { data } = await client.run(dashboard, query, {}, { read: counting });
      const { data: deliveries } = data?.['webhookDeliveries'] as {
        data: Record<string, unknown>[];
      };
      expect(deliveries.length).to.be.greaterThan(3);

      for (const delivery of deliveries) {
        expect(delivery).to.include({ status: 'failed' });
        expect(delivery['failureReason']).to.be.a('string');
        expect(delivery['endpoint']).to.have.property('url');
      }

      expect(deliveries[0]?.['nextAttemptAt']).to.match(/Z$/);
      expect(statements).to.have.lengthOf(3);
    });

    it('shows deliveries without an endpoint that was deleted', async () => {
      const { createWebhookEndpoint: created } = await client.answer(
        dashboard,
        createEndpointMutation,
        {
          input: endpointInput,
        },
      );
      await client.answer(internal, publishMutation, {
        input: { ...event, account: fixture.account },
      });
      await attempt(fixture.database, outcomes.gone);
      await client.answer(dashboard, 'mutation m($id: ID!) { deleteWebhookEndpoint(id: $id) }', {
        id: created?.['id'],
      });

      const { webhookDeliveries } = await client.answer(
        dashboard,
        '{ webhookDeliveries(status: abandoned) { data { endpoint { id } nextAttemptAt } } }',
      );
      expect(webhookDeliveries?.['data']).to.deep.include({ endpoint: null, nextAttemptAt: null });
    });
  });

  it('replays a delivery and answers with the record of its first attempt', async () => {
    const { other: account } = fixture;
    const variables = { account };

    await client.answer(internal, createEndpointMutation, { ...variables, input: endpointInput });
    await client.answer(internal, publishMutation, { input: { ...event, account } });
    await attempt(fixture.database, outcomes.down);

    const { webhookDeliveries } = await client.answer(
      internal,
      'query q($account: ID) { webhookDeliveries(account: $account) { data { id } } }',
      variables,
    );

    const [first] = webhookDeliveries?.['data'] as { id: string }[];
    const replay =
      'mutation m($id: ID!, $account: ID) { replayDelivery(id: $id, account: $account) { attempt status replayedFrom } }';
    const { replayDelivery } = await client.answer(internal, replay, {
      ...variables,
      id: first?.id,
    });

    expect(replayDelivery).to.deep.equal({
      attempt: 1,
      status: 'success',
      replayedFrom: first?.id,
    });
  });

  it('H76: says why a replay ended before its first attempt', async () => {
    const { account } = fixture;
    const { createWebhookEndpoint: created } = await client.answer(
      dashboard,
      createEndpointMutation,
      {
        input: endpointInput,
      },
    );

    await client.answer(internal, publishMutation, { input: { ...event, account } });
    await attempt(fixture.database, outcomes.down);

    const { webhookDeliveries } = await client.answer(
      dashboard,
      '{ webhookDeliveries { data { id endpoint { id } } } }',
    );

    const failed = (webhookDeliveries?.['data'] as { id: string; endpoint: { id: string } }[]).find(
      ({ endpoint }) => endpoint.id === created?.['id'],
    );
    const { refusal: refused } = await client.run(
      dashboard,
      'mutation m($id: ID!) { replayDelivery(id: $id) { id } }',
      { id: failed?.id },
      {
        waitForReplay: async () => {
          await client.answer(dashboard, updateEndpointMutation, {
            id: created?.['id'],
            input: { active: false },
          });
          return { kind: 'ended' };
        },
      },
    );
    expect(refused?.code).to.equal('endpoint_inactive');
  });
});
