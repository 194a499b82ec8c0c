import { expect } from 'chai';
import { answer } from '../support/behaviours.js';
import { makeDue, recordedAs } from '../support/delivery-records.js';
import {
  createEndpoint,
  deliveriesPath,
  type DeliveryBody,
  listDeliveries,
} from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { sampleOf } from '../support/random.js';
import { type Service, sharedService } from '../support/service.js';
import { callGraphql, createTenant, type Tenant } from '../support/tenants.js';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
const publish = 'mutation ($input: PublishEventInput!) { publishEvent(input: $input) { id } }';
const publishAll = `mutation ($input: PublishEventInput!) {
  publishEvents(input: [$input], atomic: true) { id } }`;
const set = `mutation ($account: ID!, $sends: Boolean!) {
  setSendsTraceparent(account: $account, sends: $sends) { sendsTraceparent } }`;

describe('the trace of a publisher', () => {
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;
  let internal: string;

  before(async () => {
    service = await sharedService();
  });

  beforeEach(async () => {
    receiver = await startReceiver();
    tenant = await createTenant(service);
    ({ token: internal } = await tenant.credential({ kind: 'internal' }));
    await createEndpoint(tenant.rest, { url: receiver.url('/hook') });
  });

  afterEach(() => receiver.close());

  const send = (sends: boolean) => tenant.graphql(set, { account: tenant.account, sends });

  /** The records of the account, once there are some. */
  const recordsOfAccount = () =>
    eventually(async () => {
      const records = await listDeliveries(tenant.rest);
      expect(records).not.to.deep.equal([]);
      return records as [DeliveryBody, ...DeliveryBody[]];
    }, 'the account has records');

  const input = () => ({
    account: tenant.account,
    type: 'cart.order.completed',
    subject: 'order:ord_1',
    data: sampleOf('cart.order.completed'),
  });

  /** Publishes with a header of the caller. @returns the header that the receiver gets */
  const arriving = async (header: string, query = publish) => {
    await callGraphql(service, internal, query, { input: input() }, { traceparent: header });
    return (await receiver.next()).headers['traceparent'];
  };

  it('H181: goes to the receivers of an account that is to send it, and of no other', async () => {
    expect(await arriving(traceparent)).to.equal(undefined);
    expect(await send(true)).to.deep.equal({ setSendsTraceparent: { sendsTraceparent: true } });
    expect(await arriving(traceparent)).to.equal(traceparent);
    expect(await arriving(traceparent, publishAll)).to.equal(traceparent);
    await send(false);
    expect(await arriving(traceparent)).to.equal(undefined);
  });

  it('H181: is ignored when it is not valid', async () => {
    await send(true);
    for (const header of ['', 'what', traceparent.toUpperCase(), `${traceparent}-more`]) {
      expect(await arriving(header), header).to.equal(undefined);
    }
  });

  it('H181: is kept for retries and replays', async () => {
    await send(true);
    receiver.script(answer(500), answer(200), answer(200));
    expect(await arriving(traceparent)).to.equal(traceparent);
    const [{ event_id: event }] = await recordsOfAccount();
    await makeDue(service, event);
    expect((await receiver.next()).headers['traceparent']).to.equal(traceparent);
    const [, { id }] = await recordedAs(tenant.rest, event, ['failed', 'success']);
    await tenant.rest.post(`${deliveriesPath}/${id}/replay`);
    expect((await receiver.next()).headers['traceparent']).to.equal(traceparent);
  });
});
