import { expect } from 'chai';
import { createCheckout, makeOrder, payCheckout } from '../support/sales.js';
import { createEndpoint, type DeliveryBody, deliveriesPath } from '../support/endpoints.js';
import { tablesWith } from '../support/erasure.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver, verify } from '../support/receiver.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

interface ErasureBody {
  readonly id: string;
  readonly status: string;
  readonly waiting: boolean;
  readonly requestedBy: string;
  readonly erased: readonly { readonly table: string; readonly rows: number }[];
}

const fields = '{ id status waiting requestedBy erased { table rows } }';
const eraseBuyer = `mutation ($input: EraseBuyerInput!) { eraseBuyer(input: $input) ${fields} }`;
const eraseAccount = `mutation ($account: ID!, $confirm: ID!) {
  eraseAccount(account: $account, confirm: $confirm) ${fields} }`;
const find = `query ($id: ID!) { erasure(id: $id) ${fields} }`;

describe('erasures', () => {
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;
  let operator: Tenant;

  before(async () => {
    service = await sharedService();
    receiver = await startReceiver();
    operator = await createTenant(service);
  });

  after(() => receiver.close());
  beforeEach(async () => {
    tenant = await createTenant(service);
  });

  /** Waits until the workers have erased everything that was not under way. */
  const erased = (id: string): Promise<ErasureBody> =>
    eventually(async () => {
      const { erasure } = await operator.graphql<{ erasure: ErasureBody }>(find, { id });
      expect(erasure.waiting).to.equal(true);
      return erasure;
    }, `${id} waits only for what was under way`);

  it('H156, H157, H278: an erased buyer is in no table but invoices, and replays send the erased data', async () => {
    const marker = `zz${tenant.account.slice(4, 20)}`.toLowerCase();
    const path = `/${tenant.account}`;

    // Echoes, as receivers do that log what they refuse.
    receiver.choose((request) =>
      request.path === path
        ? (_request, response) => response.writeHead(500).end(request.body)
        : undefined,
    );

    const { signing_secret: secret } = await createEndpoint(tenant.rest, {
      url: receiver.url(path),
      event_types: ['cart.order.completed'],
    });

    const buyerEmail = `${marker}@buyer.example`;
    const checkout = await createCheckout(tenant, { metadata: { who: marker }, buyerEmail });
    const { order } = await payCheckout(tenant, checkout, { buyerEmail, buyerName: marker });

    await receiver.next((request) => request.path === path);

    const delivery = await eventually(async () => {
      const { body } = await tenant.rest.get(deliveriesPath);
      const [first] = (body as { data: DeliveryBody[] }).data;
      expect(first?.status).to.equal('failed');
      return first!;
    }, 'the attempt is recorded');

    expect((await tablesWith(service.database, marker)).join()).to.match(/delivery_evidence/);

    const input = { account: tenant.account, email: buyerEmail.toUpperCase() };
    const { eraseBuyer: started } = await operator.graphql<{ eraseBuyer: ErasureBody }>(
      eraseBuyer,
      {
        input,
      },
    );

    const erasure = await erased(started.id);
    expect(erasure.requestedBy).to.match(/^crd_/);
    expect(erasure.erased.map(({ table }) => table)).to.include.members(['event', 'order']);

    // The address itself is in the running erasure.
    const tables = await tablesWith(service.database, marker);
    expect(tables.filter((table) => table !== 'erasure')).to.deep.equal(['invoice']);

    const { invoices } = await tenant.graphql<{ invoices: { data: object[] } }>(
      'query ($account: ID, $buyer: String) { invoices(account: $account, buyerEmail: $buyer) { data { id } } }',
      { account: tenant.account, buyer: buyerEmail },
    );

    expect(invoices.data, 'invoices found by an erased address').to.have.lengthOf(0);

    const { body } = await tenant.rest.get(`/v1/commerce/orders/${order.id}`);
    expect(body).to.have.nested.property('data.buyer.email', 'erased@erased.invalid');
    await tenant.rest.post(`${deliveriesPath}/${delivery.id}/replay`);

    const again = await receiver.next(
      (request) => request.path === path && request.body.includes('erasedat'),
    );
    expect(again.body.toString()).not.to.include(marker);
    expect(verify(again, secret)).to.deep.equal({ service: true, standard: true });
    expect(again.headers['webhook-id']).to.equal(delivery.event_id);
  });

  it('H155, H157: an erased account is refused everywhere at once, and leaves only its books', async () => {
    const { account } = tenant;
    await createEndpoint(tenant.rest, { url: receiver.url(`/${account}`) });
    await makeOrder(tenant);

    const wrong = operator.graphql(eraseAccount, { account, confirm: 'acc_other' });
    await wrong.then(
      () => expect.fail('it was erased'),
      (error: unknown) => expect(String(error)).to.match(/fields were refused/),
    );

    const { eraseAccount: started } = await operator.graphql<{ eraseAccount: ErasureBody }>(
      eraseAccount,
      { account, confirm: account },
    );

    expect((await tenant.rest.get('/v1/webhooks/endpoints')).status).to.equal(401);

    const publish = `mutation ($input: PublishEventInput!) { publishEvent(input: $input) { id } }`;
    const data = { account, type: 'shop.unknown', subject: 's', data: {} };
    await operator.graphql(publish, { input: data }).then(
      () => expect.fail('it was published'),
      (error: unknown) => expect(String(error)).to.match(/No account with this id/),
    );

    await erased(started.id);

    const [rows] = await service.database.query(
      `select (select count(*)::int from "order" where account_id = $1) as orders,
              (select count(*)::int from event where account_id = $1) as events,
              (select count(*)::int from credential where account_id = $1) as credentials`,
      [account],
    );
    expect(rows).to.deep.equal({ orders: 1, events: 0, credentials: 0 });
  });
});
