import { expect } from 'chai';
import { createCheckout, expireIn } from '../support/sales.js';
import { createEndpoint, dataOf } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver, verify } from '../support/receiver.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

describe('an expired checkout', () => {
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    receiver = await startReceiver();
    tenant = await createTenant(service);
  });

  after(() => receiver.close());

  it('publishes one signed event without a request', async () => {
    const { signing_secret: secret } = await createEndpoint(tenant.rest, {
      url: receiver.url(),
      event_types: ['cart.checkout.expired'],
    });

    const id = await createCheckout(tenant, { metadata: { customer: '42' } });
    await expireIn(service.database, id, 200);

    const request = await receiver.next();
    expect(verify(request, secret)).to.deep.equal({ service: true, standard: true });

    const event = JSON.parse(request.body.toString()) as { type: string; subject: string };
    expect(event).to.deep.include({
      type: 'cart.checkout.expired',
      subject: `checkout:${id}`,
    });

    expect(dataOf(await tenant.rest.get(`/v1/commerce/checkouts/${id}`), 200)).to.include({
      status: 'expired',
    });

    const events = await service.database.query(
      `select from event where account_id = $1 and type = 'cart.checkout.expired'`,
      [tenant.account],
    );
    expect(events).to.have.length(1);
  });

  it('is counted by the worker that expired it', async () => {
    const id = await createCheckout(tenant);
    await expireIn(service.database, id, 0);
    await eventually(async () => {
      const [worker] = service.workers;
      const text = await (await fetch(`${worker?.healthUrl ?? ''}/metrics`)).text();
      expect(text).to.match(/^signalpost_checkouts_expired_total [1-9]/m);
      expect(text, 'its events').to.match(/^signalpost_events_accepted_total [1-9]/m);
    }, 'the worker counts it');
  });
});
