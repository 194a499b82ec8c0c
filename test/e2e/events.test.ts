import { expect } from 'chai';
import { expireIn, payCheckout, makeOffer, openOfferCheckout } from '../support/sales.js';
import { createEndpoint, dataOf } from '../support/endpoints.js';
import { checkEvent, checkHeaders, describedTypes } from '../support/contract.js';
import { openPage } from '../support/dashboard.js';
import { type ReceivedRequest, type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

describe('events as openapi.yaml describes them', () => {
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    receiver = await startReceiver();
    tenant = await createTenant(service);
    const { id } = await createEndpoint(tenant.rest, { url: receiver.url() });
    // A subscription that was made while the older type was still offered.
    await service.database.query('update endpoint set event_types = $2 where id = $1', [
      id,
      describedTypes,
    ]);
  });

  after(() => receiver.close());

  it('A20: marks as sent exactly the types that are described and sent', async () => {
    const reply = await tenant.rest.get('/v1/webhooks/event-types');
    const types = dataOf<{ id: string; sent: boolean }[]>(reply, 200);
    const sent = types.filter((type) => type.sent).map(({ id }) => id);
    expect(sent).to.have.members(describedTypes);
  });

  // e2e/disabling tests the events of endpoints.
  const commerceTypes = describedTypes.filter((type) => !type.startsWith('webhook.'));
  const nextOf = (type: string) =>
    receiver.next((request) => request.headers['x-service-event-type'] === type);

  /**
   * Cancels an offer and opens another; lets its checkout expire, be paid all the same and refunded;
   * waits for one event of every type.
   */
  const eventsOf = async (changes: object, affiliate = ''): Promise<ReceivedRequest[]> => {
    const known = receiver.requests.length;
    await makeOffer(tenant.rest, changes, ['cancel']);

    const id = await openOfferCheckout(
      await makeOffer(tenant.rest, { recipient_email: 'buyer@example.com', ...changes }),
    );
    await openPage(`${service.url}/checkout/${id}?affiliate=${affiliate}`);
    await expireIn(service.database, id, 0);

    const expired = await nextOf('cart.checkout.expired');
    const startedAt = new Date(Date.now() - 60_000).toISOString();
    const { payment } = await payCheckout(tenant, id, { startedAt });
    dataOf(await tenant.rest.post(`/v1/commerce/payments/${payment.id}/refunds`), 201);

    const others = commerceTypes.filter((type) => type !== 'cart.checkout.expired');
    const requests = [expired, ...(await Promise.all(others.map(nextOf)))];

    // Two offers were made.
    expect(receiver.requests.length - known).to.equal(commerceTypes.length + 1);

    return requests;
  };

  it('H83: events of a full checkout have every described member and no other', async () => {
    const changes = { metadata: { a: [1, { b: null }] }, message: 'Hello' };
    for (const { body } of await eventsOf(changes, 'partner-9')) checkEvent(body);
  });

  it('H83: events of a minimal checkout have every described member and no other', async () => {
    for (const { body } of await eventsOf({})) checkEvent(body);
  });

  it('H81: events arrive with every described header, and no other of these families', () => {
    for (const { body, headers } of receiver.requests) {
      const { type } = JSON.parse(body.toString()) as { type: string };
      checkHeaders(type, headers);
    }
  });

  it('H84: dataschema names a schema that is served', async () => {
    for (const { body } of receiver.requests) {
      const { dataschema, type } = JSON.parse(body.toString()) as Record<string, string>;
      const path = new URL(dataschema ?? '').pathname;
      expect(path).to.equal(`/schemas/events/${type ?? ''}/v1`);
      const { status, headers, text } = await tenant.rest.get(path);
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('application/schema+json');
      expect((JSON.parse(text) as Record<string, unknown>)['$id']).to.equal(dataschema);
    }
  });
});

describe('the check of every event in the tests', () => {
  it('refuses headers that differ from their description', () => {
    const [known] = describedTypes;
    expect(() => checkHeaders(known ?? '', {})).to.throw(/lacks the header x-service-signature/);
  });

  it('refuses an event type or a member that is not described', () => {
    expect(() => checkEvent(Buffer.from('{"type":"foo"}'))).to.throw(/does not know/);
    expect(() => checkEvent(Buffer.from('{"type":"invoice.issued","extra":1}'))).to.throw(
      /unevaluated|must NOT/,
    );
  });
});
