import { expect } from 'chai';
import { fetch } from 'undici';
import {
  createEndpoint,
  deliveriesPath,
  endpointsPath,
  listDeliveries,
} from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const set = `mutation ($id: ID!, $rate: Int, $account: ID) {
  setEndpointRateLimit(id: $id, maxPerSecond: $rate, account: $account) { id maxPerSecond } }`;
const read = `query ($id: ID!, $account: ID) {
  webhookEndpoint(id: $id, account: $account) { maxPerSecond } }`;

describe('the rate limit of an endpoint', () => {
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;
  let id: string;

  before(async () => {
    service = await sharedService();
    receiver = await startReceiver();
  });

  after(() => receiver.close());

  beforeEach(async () => {
    tenant = await createTenant(service);
    ({ id } = await createEndpoint(tenant.rest, { url: receiver.url(`/${tenant.account}`) }));
  });

  /** Sends a call as another credential. @returns its data, or code and param of its error */
  const call = async (token: string, rate: number | null, endpoint = id) => {
    const response = await fetch(`${service.internalUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: set, variables: { id: endpoint, rate } }),
    });
    const { data, errors } = (await response.json()) as {
      data?: { setEndpointRateLimit: { maxPerSecond: number | null } };
      errors?: { extensions: { code: string; errors: { param?: string }[] } }[];
    };
    const [error] = errors ?? [];
    if (error) return [error.extensions.code, error.extensions.errors[0]?.param];
    return data?.setEndpointRateLimit.maxPerSecond;
  };

  const limitTo = (rate: number | null) =>
    tenant.graphql(set, { id, rate, account: tenant.account });

  it('H153: a dashboard sets, changes and removes the rate limit, within its bounds and account', async () => {
    const { token } = await tenant.credential({ kind: 'dashboard' });
    expect(await call(token, 10)).to.equal(10);

    const shown = await tenant.graphql(read, { id, account: tenant.account });
    expect(shown).to.deep.equal({ webhookEndpoint: { maxPerSecond: 10 } });
    expect(await call(token, 1_000)).to.equal(1_000);

    for (const rate of [0, -1, 1_001]) {
      expect(await call(token, rate)).to.deep.equal(['validation_failed', 'maxPerSecond']);
    }

    expect(await call(token, null)).to.equal(null);

    const other = await createTenant(service);
    const { id: foreign } = await createEndpoint(other.rest);
    expect(await call(token, 10, foreign)).to.include('not_found');

    const reader = await tenant.credential({ kind: 'dashboard', level: 'read' });
    expect(await call(reader.token, 10)).to.include('forbidden');
  });

  it('H154: /v1 does not show the rate limit, and a replay goes before the live deliveries that wait', async () => {
    const first = await tenant.publish({});
    const [delivered] = await eventually(async () => {
      const deliveries = await listDeliveries(tenant.rest);
      expect(deliveries).to.have.length(1);
      return deliveries;
    }, 'the first is recorded');

    await limitTo(2);

    const shown = await tenant.rest.get(`${endpointsPath}/${id}`);
    expect(shown.text).to.not.match(/per_?second/i);

    const events: string[] = [];
    for (let index = 0; index < 8; index += 1) events.push(await tenant.publish({}));

    const replayed = await tenant.rest.post(`${deliveriesPath}/${delivered?.id}/replay`, undefined);
    expect(replayed.status, replayed.text).to.equal(200);

    const order = () =>
      receiver.requests
        .filter(({ path }) => path === `/${tenant.account}`)
        .map(({ headers }) => headers['webhook-id']);

    await eventually(() => expect(order()).to.have.length(10), 'all arrive');
    expect(order().lastIndexOf(first)).to.be.below(9);
    expect(order()).to.include.members(events);
  });
});
