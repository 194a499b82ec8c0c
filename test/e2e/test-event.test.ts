import { expect } from 'chai';
import { answer } from '../support/behaviours.js';
import { recordedAs } from '../support/delivery-records.js';
import { createEndpoint, dataOf, type DeliveryBody, endpointsPath } from '../support/endpoints.js';
import { checkEvent, describedTypes } from '../support/event-contract.js';
import { type Receiver, startReceiver, verify } from '../support/receiver.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type GraphqlRefusal, type Tenant } from '../support/tenants.js';

describe('a test event', () => {
  let service: Service;
  let tenant: Tenant;
  let receiver: Receiver;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  /** Sends a test event as the dashboard does. @returns its id */
  async function send(endpoint: string, type: string): Promise<string> {
    const { sendTestEvent } = await tenant.graphql<{ sendTestEvent: { id: string } }>(
      `mutation ($input: SendTestEventInput!) { sendTestEvent(input: $input) { id } }`,
      { input: { account: tenant.account, endpoint, type } },
    );
    return sendTestEvent.id;
  }

  it('H68, A15: of every type there is goes to one endpoint, signed, and says test everywhere', async () => {
    // Subscribed to one of the types; test events go there all the same, and nowhere else.
    const endpoint = await createEndpoint(tenant.rest, { url: receiver.url('/tested') });
    await createEndpoint(tenant.rest, { url: receiver.url('/other') });
    const check = async (type: string) => {
      const event = await send(endpoint.id, type);
      const request = await receiver.next(({ headers }) => headers['webhook-id'] === event);
      expect(verify(request, endpoint.signing_secret)).to.deep.equal({
        service: true,
        standard: true,
      });
      checkEvent(request.body);
      const envelope = JSON.parse(request.body.toString()) as Record<string, unknown>;
      expect(envelope).to.include({ id: event, type, test: true });
      const [record] = await recordedAs(tenant.rest, event, ['success']);
      expect(record).to.include({ test: true, attempt: 1, max_attempts: 1, event_type: type });
    };
    await Promise.all(describedTypes.map(check));
    expect(new Set(receiver.requests.map(({ path }) => path))).to.deep.equal(new Set(['/tested']));
    expect(receiver.requests).to.have.length(describedTypes.length);
  });

  it('H68: goes to no endpoint that is inactive, deleted or not of the account, and has a known type', async () => {
    const inactive = await createEndpoint(tenant.rest, { url: receiver.url(), active: false });
    const deleted = await createEndpoint(tenant.rest, { url: receiver.url() });
    await tenant.rest.delete(`${endpointsPath}/${deleted.id}`);
    const stranger = await createTenant(service);
    const foreign = await createEndpoint(stranger.rest, { url: receiver.url() });
    const active = await createEndpoint(tenant.rest, { url: receiver.url() });
    const codeFor = (endpoint: string, type = 'invoice.issued') =>
      send(endpoint, type).catch((error: unknown) => (error as GraphqlRefusal).code);
    expect(await codeFor(inactive.id)).to.equal('endpoint_inactive');
    expect(await codeFor(deleted.id)).to.equal('not_found');
    expect(await codeFor(foreign.id)).to.equal('not_found');
    expect(await codeFor(active.id, 'payment.dispute.won')).to.equal('validation_failed');
    expect(await codeFor(active.id, 'no.such')).to.equal('validation_failed');
    expect(receiver.requests).to.deep.equal([]);
  });

  it('H62, H68: is attempted once, and no failure counts against the endpoint, 410 neither', async () => {
    const { id } = await createEndpoint(tenant.rest, { url: receiver.url('/failing') });
    for (const status of [500, 410]) {
      receiver.script(answer(status, { 'retry-after': '1' }));
      const event = await send(id, 'cart.order.completed');
      const [record] = await recordedAs(tenant.rest, event, ['abandoned']);
      expect(record).to.include({ attempt: 1, max_attempts: 1, response_status: status });
    }
    const rows = await service.database.query(
      `select active, failure_count as failures, failing_since as since,
              (select count(*)::int from pending_delivery where endpoint_id = endpoint.id) as "pendingDeliveries"
         from endpoint where id = $1`,
      [id],
    );
    expect(rows).to.deep.equal([{ active: true, failures: 0, since: null, pendingDeliveries: 0 }]);
  });

  it('H68: stays a test event when it is replayed', async () => {
    const { id } = await createEndpoint(tenant.rest, { url: receiver.url('/replayed') });
    const event = await send(id, 'cart.order.completed');
    const [record] = await recordedAs(tenant.rest, event, ['success']);
    const path = `/v1/webhooks/deliveries/${record.id}/replay`;
    const replayed = dataOf<DeliveryBody>(await tenant.rest.post(path), 200);
    expect(replayed).to.include({ test: true, max_attempts: 1, replayed_from: record.id });
  });
});
