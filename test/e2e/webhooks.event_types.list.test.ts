import { expect } from 'chai';
import {
  createEndpoint,
  endpointInput,
  endpointsPath,
  type List,
  toProblem,
  refusalsOf,
} from '../support/endpoints.js';
import { describedTypes, summaryOf } from '../support/contract.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

interface EventTypeBody {
  readonly id: string;
  readonly category: string;
  readonly summary: string;
  readonly description: string;
  readonly accepts_new_subscriptions: boolean;
  readonly sent: boolean;
}

const path = '/v1/webhooks/event-types';

describe('webhooks.event_types.list', () => {
  // Its own service, because it changes the catalogue, which all tests share.
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await startService({ workers: 0 });
    tenant = await createTenant(service);
  });

  after(() => service.stop());

  async function list(): Promise<List<EventTypeBody>> {
    const reply = await tenant.rest.get(path);
    expect(reply.status).to.equal(200);
    return reply.body as List<EventTypeBody>;
  }

  it('H38, A19: shows the whole catalogue in one page, both booleans spelled out', async () => {
    const { data, page } = await list();
    expect(page).to.deep.equal({ has_more: false });

    const catalogue = await service.database.query('select id from event_type');
    expect(data).to.have.lengthOf(catalogue.length);
    expect(data).to.have.lengthOf.above(20);

    for (const type of data) {
      expect(Object.keys(type).sort()).to.deep.equal([
        'accepts_new_subscriptions',
        'category',
        'description',
        'id',
        'sent',
        'summary',
      ]);
    }

    const retired = data.filter((type) => !type.accepts_new_subscriptions).map(({ id }) => id);
    expect(retired).to.deep.equal(['order.completed']);
  });

  it('H32: orders it by category, then by id', async () => {
    const { data } = await list();
    const keys = data.map(({ category, id }) => `${category} ${id}`);
    expect(keys).to.deep.equal([...keys].sort());
  });

  it('A20: says sent of what checkouts, refunds and offers emit, and of nothing else', async () => {
    const { data } = await list();
    expect(data.filter(({ sent }) => sent).map(({ id }) => id)).to.have.members(describedTypes);
  });

  it('says of a type what openapi.yaml says of it', async () => {
    const { data } = await list();
    for (const { id, description } of data.filter(({ sent }) => sent)) {
      expect(summaryOf(id), id).to.equal(description);
    }
  });

  it('H37: takes no query parameter', async () => {
    expect(refusalsOf(await tenant.rest.get(`${path}?limit=5`))).to.deep.equal([
      'limit: unknown_parameter',
    ]);
  });

  it('A9: answers 401, 403 and 422 to what it refuses', async () => {
    toProblem(await tenant.rest.as('sk_live_unknown').get(path), 401);
    const accountant = await tenant.client({ kind: 'live', role: 'accountant' });
    toProblem(await accountant.get(path), 403);
    toProblem(await tenant.rest.get(`${path}?category=orders`), 422);
  });

  it('shows a type that was retired as not offered, and not one that was unlisted', async () => {
    const { id } = await createEndpoint(tenant.rest, {
      event_types: ['offer.created', 'offer.sent'],
    });
    await tenant.graphql('mutation { retireEventType(id: "offer.created") { id } }');
    await tenant.graphql('mutation { unlistEventType(id: "offer.sent") { id } }');

    const { data } = await list();
    const ids = data.map((type) => type.id);
    expect(ids).not.to.include('offer.sent');

    const retired = data.find((type) => type.id === 'offer.created');
    expect(retired?.accepts_new_subscriptions).to.equal(false);

    const types = { event_types: ['offer.created', 'offer.sent'] };
    const refused = await tenant.rest.post(endpointsPath, endpointInput(types));
    expect(toProblem(refused, 422).errors.map(({ detail }) => detail)).to.deep.equal([
      'No longer offered for new subscriptions: offer.created',
      'Unknown event type: offer.sent',
    ]);

    const kept = await tenant.rest.patch(`${endpointsPath}/${id}`, types);
    expect(kept.status, kept.text).to.equal(200);

    const less = { event_types: ['cart.order.completed'] };
    await tenant.rest.patch(`${endpointsPath}/${id}`, less);
    toProblem(await tenant.rest.patch(`${endpointsPath}/${id}`, types), 422);
  });
});
