import { expect } from 'chai';
import { foldStatistics } from '../../src/domain/delivery/statistics.js';
import { answer } from '../support/behaviours.js';
import { recordedAs } from '../support/delivery-records.js';
import { createEndpoint, endpointsPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';

interface Found {
  readonly data: readonly { readonly id: string }[];
  readonly page: { readonly hasMore: boolean };
}

const query = `query ($account: ID, $endpoint: ID!, $event: ID!, $since: DateTime!) {
  failed: webhookDeliveries(account: $account, endpoint: $endpoint, status: failed) {
    data { id } page { hasMore }
  }
  event(account: $account, id: $event) { id body deliveries { data { id } } }
  events(account: $account, type: "cart.order.completed") { data { id } page { hasMore } }
  endpointHealth(account: $account, id: $endpoint) { state failureCount pendingCount disablesAt }
  webhookStatistics(account: $account, endpoint: $endpoint, since: $since, by: day) {
    attempts success failed latency { p50Ms }
  }
}`;

const health = `query ($account: ID, $endpoint: ID!) {
  endpointHealth(account: $account, id: $endpoint) {
    state recoverable { failed missed complete } } }`;

interface Answers {
  readonly failed: Found;
  readonly events: Found;
  readonly event: { readonly body: string; readonly deliveries: Found };
  readonly endpointHealth: object;
  readonly webhookStatistics: readonly { readonly attempts: number; readonly failed: number }[];
}

describe('the statistics on the internal GraphQL', () => {
  let service: Service;
  let receiver: Receiver;

  before(async () => {
    service = await sharedService();
    receiver = await startReceiver();
  });

  after(() => receiver.close());

  it('H132, H133, H136, H137: internal GraphQL shows what the workers recorded', async () => {
    const tenant = await createTenant(service);
    const { id: endpoint } = await createEndpoint(tenant.rest, { url: receiver.url('/hook') });
    const good = await tenant.publish({});
    await recordedAs(tenant.rest, good, ['success']);

    // The next attempt comes after the test.
    receiver.script(answer(503, { 'retry-after': '3600' }));

    const bad = await tenant.publish({});
    const [failed] = await recordedAs(tenant.rest, bad, ['failed']);
    const database = await service.database.open();
    await database.transact((tx) => foldStatistics(tx, 5_000));

    const since = new Date(Date.now() - 60_000).toISOString();
    const asked = { account: tenant.account, endpoint, event: bad, since };
    const answers = await tenant.graphql<Answers>(query, asked);
    expect(answers.failed).to.deep.equal({ data: [{ id: failed.id }], page: { hasMore: false } });
    expect(answers.event.deliveries.data).to.deep.equal([{ id: failed.id }]);
    expect(JSON.parse(answers.event.body)).to.include({ id: bad });
    expect(answers.events.data.map(({ id }) => id)).to.deep.equal([bad, good]);

    expect(answers.endpointHealth).to.include({
      state: 'failing',
      failureCount: 1,
      pendingCount: 1,
    });

    const sum = (of: 'attempts' | 'failed') =>
      answers.webhookStatistics.reduce((all, row) => all + row[of], 0);
    expect([sum('attempts'), sum('failed')]).to.deep.equal([2, 1]);

    await tenant.rest.patch(`${endpointsPath}/${endpoint}`, { active: false });
    await tenant.publish({});

    const recoverable = { failed: 1, missed: 1, complete: true };
    await eventually(async () => {
      const { endpointHealth } = await tenant.graphql<{ endpointHealth: object }>(health, asked);
      expect(endpointHealth).to.deep.equal({ state: 'inactive', recoverable });
    }, 'what it failed to take and missed can be recovered');
  });
});
