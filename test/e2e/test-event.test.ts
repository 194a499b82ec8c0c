import { expect } from 'chai';
import { answer } from '../support/behaviours.js';
import { settledAs } from '../support/delivery-records.js';
import { createEndpoint, dataOf, type DeliveryBody } from '../support/endpoints.js';
import { type Receiver, startReceiver, verify } from '../support/receiver.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

describe('a test event', () => {
  let service: Service;
  let tenant: Tenant;
  let receiver: Receiver;

  before(async function () {
    this.timeout(60_000);
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

  it('H68, A15: is signed like any other and says test in record and envelope', async () => {
    const endpoint = await createEndpoint(tenant.rest, { url: receiver.url('/tested') });
    const other = await createEndpoint(tenant.rest, { url: receiver.url('/other') });
    // Not subscribed to; a test event goes there all the same, and nowhere else.
    const event = await send(endpoint.id, 'invoice.issued');
    const request = await receiver.next();
    expect(request.path).to.equal('/tested');
    expect(verify(request, endpoint.signing_secret)).to.deep.equal({
      service: true,
      standard: true,
    });
    const envelope = JSON.parse(request.body.toString()) as Record<string, unknown>;
    expect(envelope).to.include({ id: event, type: 'invoice.issued', test: true });
    const [record] = await settledAs(tenant.rest, event, ['success']);
    expect(record).to.include({ test: true, attempt: 1, max_attempts: 1 });
    expect(receiver.requests.map(({ path }) => path)).to.deep.equal(['/tested']);
    expect(other.id).not.to.equal(endpoint.id);
  });

  it('H62, H68: is attempted once, and its failure does not count against the endpoint', async () => {
    const { id } = await createEndpoint(tenant.rest, { url: receiver.url('/failing') });
    receiver.always(answer(500));
    const event = await send(id, 'cart.order.completed');
    const [record] = await settledAs(tenant.rest, event, ['abandoned']);
    expect(record).to.include({ test: true, attempt: 1, max_attempts: 1, response_status: 500 });
    const rows = await service.database.query(
      `select failure_count as failures, failing_since as since,
              (select count(*)::int from chain where endpoint_id = endpoint.id) as chains
         from endpoint where id = $1`,
      [id],
    );
    expect(rows).to.deep.equal([{ failures: 0, since: null, chains: 0 }]);
  });

  it('H68: stays a test event when it is replayed', async () => {
    const { id } = await createEndpoint(tenant.rest, { url: receiver.url('/replayed') });
    const event = await send(id, 'cart.order.completed');
    const [record] = await settledAs(tenant.rest, event, ['success']);
    const path = `/v1/webhooks/deliveries/${record.id}/replay`;
    const replayed = dataOf<DeliveryBody>(await tenant.rest.post(path), 200);
    expect(replayed).to.include({ test: true, max_attempts: 1, replayed_from: record.id });
  });
});
