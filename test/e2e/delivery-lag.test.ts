import { expect } from 'chai';
import { createEndpoint } from '../support/endpoints.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const query = `query ($account: ID) {
  deliveryLag(account: $account) { oldestDueSeconds oldestBacklogSeconds } }`;

interface Lag {
  readonly oldestDueSeconds: number;
  readonly oldestBacklogSeconds: number;
}

const minute = 60;
const hour = 3_600;

describe('the lag of an account', () => {
  let service: Service;

  before(async () => {
    service = await startService({ workers: 0 });
  });
  after(() => service.stop());

  const lagOf = async (tenant: Tenant) =>
    (await tenant.graphql<{ deliveryLag: Lag }>(query, { account: tenant.account })).deliveryLag;

  /** Makes what waits for an endpoint due since a time. */
  const dueFor = (endpoint: string, seconds: number, lane = 'live') =>
    service.database.query(
      `update pending_delivery set due_at = now() - make_interval(secs => $2), lane = $3
        where endpoint_id = $1`,
      [endpoint, seconds, lane],
    );

  it('H212: the lag of an account is the age of its oldest due delivery that nothing holds up', async () => {
    const tenant = await createTenant(service);
    const other = await createTenant(service);

    expect(await lagOf(tenant)).to.deep.equal({ oldestDueSeconds: 0, oldestBacklogSeconds: 0 });

    const endpoints: string[] = [];

    for (const path of ['a', 'b', 'c']) {
      const url = `https://127.0.0.1:1/${path}`;
      endpoints.push((await createEndpoint(tenant.rest, { url })).id);
    }

    const [quick = '', late = '', failing = ''] = endpoints;
    await createEndpoint(other.rest, { url: 'https://127.0.0.1:1/other' });
    await tenant.publish({});
    await dueFor(quick, 0);
    await dueFor(late, 30 * minute);
    await dueFor(failing, 5 * hour);
    await service.database.query('update endpoint set failing_since = now() where id = $1', [
      failing,
    ]);

    const lag = await lagOf(tenant);
    expect(lag.oldestDueSeconds).to.be.within(29 * minute, 4 * hour);
    expect(lag.oldestBacklogSeconds).to.be.within(4 * hour, 9 * hour);
    expect(await lagOf(other)).to.deep.equal({ oldestDueSeconds: 0, oldestBacklogSeconds: 0 });
  });

  it('H212: the lag leaves out rate limits, recoveries, isolated and claimed deliveries', async () => {
    const tenant = await createTenant(service);
    const { id } = await createEndpoint(tenant.rest, { url: 'https://127.0.0.1:1/held' });

    await tenant.publish({});

    for (const lane of ['recovery', 'isolated']) {
      await dueFor(id, 5 * hour, lane);
      const lag = await lagOf(tenant);
      expect(lag.oldestDueSeconds, lane).to.equal(0);
      expect(lag.oldestBacklogSeconds, lane).to.be.at.least(4 * hour);
    }

    await dueFor(id, 5 * hour);
    expect((await lagOf(tenant)).oldestDueSeconds).to.be.at.least(4 * hour);
    await service.database.query('update endpoint set max_per_second = 5 where id = $1', [id]);
    expect((await lagOf(tenant)).oldestDueSeconds).to.equal(0);

    await service.database.query(
      'update pending_delivery set lease_token = 1 where endpoint_id = $1',
      [id],
    );

    expect(await lagOf(tenant)).to.deep.equal({ oldestDueSeconds: 0, oldestBacklogSeconds: 0 });
  });
});
