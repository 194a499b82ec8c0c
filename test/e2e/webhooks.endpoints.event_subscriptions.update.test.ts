import { expect } from 'chai';
import {
  comparable,
  createEndpoint,
  dataOf,
  endpointsPath,
  type EndpointBody,
  toProblem,
  refusalsOf,
} from '../support/endpoints.js';
import type { RestClient } from '../support/rest-client.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';

describe('webhooks.endpoints.event_subscriptions.update', () => {
  let service: Service;
  let rest: RestClient;

  before(async () => {
    service = await sharedService();
    ({ rest } = await createTenant(service));
  });

  const put = (id: string, body: object) =>
    rest.put(`${endpointsPath}/${id}/event-subscriptions`, body);

  it('H16, H17, A14: PUT replaces the list and answers 200 with the endpoint', async () => {
    const { signing_secret: secret, ...created } = await createEndpoint(rest);
    const types = ['payment.sale.succeeded', 'invoice.issued', 'payment.sale.succeeded'];
    const reply = await put(created.id, { event_types: types });
    expect(reply.text).not.to.include(secret);
    const data = dataOf<EndpointBody>(reply, 200);
    expect(data).to.deep.equal({
      ...created,
      event_types: ['payment.sale.succeeded', 'invoice.issued'],
      updated_at: data.updated_at,
    });
    expect(data.updated_at > created.updated_at).to.equal(true);
  });

  it('H10: leaves updated_at when nothing changes', async () => {
    const created = await createEndpoint(rest);
    const reply = await put(created.id, { event_types: created.event_types });
    expect(dataOf<EndpointBody>(reply, 200).updated_at).to.equal(created.updated_at);
  });

  it('H8, A25: refuses everything but the list', async () => {
    const { id } = await createEndpoint(rest);
    expect(refusalsOf(await put(id, {}))).to.deep.equal(['event_types: required']);
    expect(refusalsOf(await put(id, { event_types: [] }))).to.deep.equal([
      'event_types: too_few_items',
    ]);
    const types = { event_types: ['cart.order.completed'] };
    expect(refusalsOf(await put(id, { ...types, active: true }))).to.deep.equal([
      'active: unknown_property',
    ]);
  });

  it('H29: keeps what is subscribed and refuses additions in the words of create', async () => {
    const { id } = await createEndpoint(rest);
    await service.database.query('update endpoint set event_types = $2 where id = $1', [
      id,
      ['order.completed', 'gone.type'],
    ]);

    const kept = await put(id, { event_types: ['gone.type', 'order.completed'] });
    expect(kept.status).to.equal(200);
    await put(id, { event_types: ['cart.order.completed'] });

    const reply = await put(id, { event_types: ['order.completed', 'gone.type'] });
    expect(toProblem(reply, 422).errors.map(({ detail }) => detail)).to.deep.equal([
      'No longer offered for new subscriptions: order.completed',
      'Unknown event type: gone.type',
    ]);
  });

  it('H28: names refused event types together with issues of the fields', async () => {
    const { id } = await createEndpoint(rest);
    const reply = await put(id, { event_types: ['order.completed', 'foo.bar'], active: false });
    expect(refusalsOf(reply)).to.have.members([
      'event_types: event_type_not_offered',
      'event_types: unknown_event_type',
      'active: unknown_property',
    ]);
  });

  it('answers 404 to an unknown endpoint and to one of another account', async () => {
    const stranger = await createTenant(service);
    const { id } = await createEndpoint(stranger.rest);
    const foreign = toProblem(await put(id, { event_types: ['x'] }), 404);
    const unknown = toProblem(await put('whs_unknown', {}), 404);
    expect(comparable(foreign)).to.deep.equal(comparable(unknown));
  });
});
