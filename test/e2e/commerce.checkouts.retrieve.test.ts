import { expect } from 'chai';
import { createCheckout, expireIn, payCheckout } from '../support/sales.js';
import { comparable, dataOf, toProblem } from '../support/endpoints.js';
import type { RestClient } from '../support/rest-client.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

interface CheckoutBody {
  readonly id: string;
  readonly status: string;
  readonly order: { readonly id: string; readonly object: string } | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly checkout_url?: string;
}

describe('commerce.checkouts.retrieve', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  const pathOf = (id: string) => `/v1/commerce/checkouts/${id}`;
  const read = async (id: string, rest: RestClient = tenant.rest) =>
    dataOf<CheckoutBody>(await rest.get(pathOf(id)), 200);

  it('H12: shows every member of an open checkout, which ends 30 minutes after its creation', async () => {
    const id = await createCheckout(tenant, {
      successUrl: 'https://shop.example/thanks?a=1%202',
      cancelUrl: 'https://shop.example/cart',
      externalReference: 'cart-77',
      metadata: { customer_id: '42', nested: { list: [1, null, 'é'] }, b: true },
      embedOrigin: 'https://shop.example',
      buyerEmail: 'buyer@example.com',
      buyerEmailLocked: true,
      shippingMinorUnits: 490,
      lineItems: [
        {
          name: 'Poster',
          quantity: 3,
          unitAmountMinorUnits: 1_000,
          discountMinorUnits: 500,
          taxMinorUnits: 475,
          taxPercentage: '19.00',
        },
      ],
    });

    expect(id).to.match(/^chk_[0-9A-Za-z]{24}$/);

    const { created_at: created, expires_at: expires, ...rest } = await read(id);
    expect(Date.parse(expires) - Date.parse(created)).to.equal(30 * 60_000);

    expect(rest).to.deep.equal({
      object: 'checkout',
      id,
      status: 'open',
      order: null,
      buyer_email_locked: true,
      cancel_url: 'https://shop.example/cart',
      success_url: 'https://shop.example/thanks?a=1%202',
      checkout_url: `${service.url}/checkout/${id}`,
      embed_url: `${service.url}/checkout/${id}/embed`,
      embed_origin: 'https://shop.example',
      external_reference: 'cart-77',
      metadata: { customer_id: '42', nested: { list: [1, null, 'é'] }, b: true },
      totals: {
        currency: 'EUR',
        subtotal_minor_units: 3_000,
        discount_minor_units: 500,
        shipping_minor_units: 490,
        tax_minor_units: 475,
        total_minor_units: 3_465,
      },
    });
  });

  it('A44: shows empty strings where no reference and no cancel URL were given', async () => {
    const checkout = await read(await createCheckout(tenant));
    expect(checkout).to.include({ external_reference: '', cancel_url: '' });
    expect(checkout).to.deep.include({ metadata: {}, buyer_email_locked: false });
    expect(checkout).not.to.have.property('embed_origin');
  });

  it('A21, A23: reads open until expires_at, and expired from then on', async () => {
    const id = await createCheckout(tenant);
    await expireIn(service.database, id, 60_000);
    expect(await read(id)).to.include({ status: 'open' });
    await expireIn(service.database, id, 0);
    const expired = await read(id);
    expect(expired).to.include({ status: 'expired', order: null });
    expect(expired).not.to.have.any.keys('checkout_url', 'embed_url');
  });

  it('A22: reads completed once there is an order, after its time too', async () => {
    const id = await createCheckout(tenant);
    const { order } = await payCheckout(tenant, id);
    expect(order.id).to.match(/^ord_[0-9A-Za-z]{24}$/);
    for (const ms of [60_000, -60_000]) {
      await expireIn(service.database, id, ms);
      const completed = await read(id);
      expect(completed).to.deep.include({
        status: 'completed',
        order: { id: order.id, object: 'order' },
      });
      expect(completed).not.to.have.any.keys('checkout_url', 'embed_url');
    }
  });

  it('A30: is for every key of the account, and for no other', async () => {
    const id = await createCheckout(tenant);
    for (const input of [
      { kind: 'legacy' },
      { kind: 'live', level: 'read' },
      { kind: 'live', role: 'accountant' },
    ] as const) {
      expect(await read(id, await tenant.client(input))).to.include({ id });
    }
    const { rest: other } = await createTenant(service);
    const foreign = toProblem(await other.get(pathOf(id)), 404);
    const unknown = toProblem(await other.get(pathOf('chk_0000000000000000000000AB')), 404);
    expect(comparable(foreign)).to.deep.equal(comparable(unknown));
  });

  it('A28, H87: answers 401 to a dashboard token, even to that of an owner', async () => {
    const id = await createCheckout(tenant);
    const dashboard = await tenant.client({ kind: 'dashboard', role: 'owner' });
    const { errors } = toProblem(await dashboard.get(pathOf(id)), 401);
    expect(errors.map(({ code }) => code)).to.deep.equal(['credential_kind_not_accepted']);
  });

  it('is 404 for ids that cannot be one', async () => {
    for (const id of [
      'chk_',
      'chk_short',
      'whs_0000000000000000000000AB',
      'chk_%F0%9F%98%80',
      '..',
    ]) {
      expect((await tenant.rest.get(pathOf(id))).status, id).to.equal(404);
    }
  });
});
