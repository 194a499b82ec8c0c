import { expect } from 'chai';
import { createCheckout, payCheckout } from '../support/sales.js';
import { dataOf } from '../support/endpoints.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

interface Read {
  readonly id: string;
  readonly created_at: string;
  readonly [member: string]: unknown;
}

describe('what a paid checkout leaves', () => {
  let service: Service;
  let tenant: Tenant;
  let checkout: string;
  let made: Awaited<ReturnType<typeof payCheckout>>;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);

    checkout = await createCheckout(tenant, {
      externalReference: 'cart-77',
      metadata: { customer_id: '42', nested: { list: [1, null, 'é'] } },
      affiliate: 'partner-9',
      shippingMinorUnits: 490,
      lineItems: [
        {
          name: 'Poster',
          productId: 'prod_poster',
          quantity: 3,
          unitAmountMinorUnits: 1_000,
          discountMinorUnits: 500,
          taxMinorUnits: 475,
          taxPercentage: '19.00',
        },
      ],
    });

    made = await payCheckout(tenant, checkout, { buyerName: '山田 花子', buyerCountry: 'JP' });
  });

  const read = async (path: string) => dataOf<Read>(await tenant.rest.get(path), 200);
  const totals = {
    currency: 'EUR',
    subtotal_minor_units: 3_000,
    discount_minor_units: 500,
    shipping_minor_units: 490,
    tax_minor_units: 475,
    total_minor_units: 3_465,
  };

  const buyer = { email: 'buyer@example.com', name: '山田 花子', country: 'JP' };

  it('is an order with every member, by commerce.orders.retrieve', async () => {
    const order = await read(`/v1/commerce/orders/${made.order.id}`);
    expect(order.created_at).to.equal(order['completed_at']);

    expect(order).to.deep.equal({
      object: 'order',
      id: made.order.id,
      status: 'completed',
      checkout,
      external_reference: 'cart-77',
      created_at: order.created_at,
      completed_at: order.created_at,
      currency: 'EUR',
      totals,
      refunded_minor_units: 0,
      buyer,
      line_items: [
        {
          product: { id: 'prod_poster', name: 'Poster' },
          quantity: 3,
          unit_amount_minor_units: 1_000,
          discount_minor_units: 500,
          tax_minor_units: 475,
          tax_percentage: '19.00',
          total_minor_units: 2_975,
        },
      ],
      payments: [made.payment.id],
      invoices: [made.invoice.id],
      metadata: { customer_id: '42', nested: { list: [1, null, 'é'] } },
      affiliate: { code: 'partner-9' },
    });
  });

  it('is a payment with every member, by commerce.payments.retrieve', async () => {
    const payment = await read(`/v1/commerce/payments/${made.payment.id}`);
    expect(payment).to.deep.equal({
      object: 'payment',
      id: made.payment.id,
      order: made.order.id,
      status: 'succeeded',
      currency: 'EUR',
      amount_minor_units: 3_465,
      refunded_minor_units: 0,
      fee_minor_units: 0,
      net_minor_units: 3_465,
      method: 'card',
      buyer_email: 'buyer@example.com',
      created_at: payment.created_at,
      cash_flow_at: payment.created_at,
    });
  });

  it('is an invoice with every member, by commerce.invoices.retrieve', async () => {
    const invoice = await read(`/v1/commerce/invoices/${made.invoice.id}`);
    expect(invoice['pdf_url']).to.match(
      new RegExp(`^${service.url}/documents/${made.invoice.id}/[0-9a-f]{32}\\.pdf$`),
    );

    expect(invoice).to.deep.equal({
      object: 'invoice',
      id: made.invoice.id,
      number: 'INV-000001',
      type: 'invoice',
      order: made.order.id,
      payment: made.payment.id,
      refund: null,
      currency: 'EUR',
      totals,
      buyer,
      issued_at: invoice.created_at,
      created_at: invoice.created_at,
      pdf_url: invoice['pdf_url'],
    });
  });

  it('becomes a refund and a credit note, by commerce.refunds.retrieve', async () => {
    const path = `/v1/commerce/payments/${made.payment.id}/refunds`;
    const refund = dataOf<Read>(await tenant.rest.post(path, { reason: 'other' }), 201);
    expect(await read(`/v1/commerce/refunds/${refund.id}`)).to.deep.equal(refund);

    const order = await read(`/v1/commerce/orders/${made.order.id}`);
    expect(order['refunded_minor_units']).to.equal(3_465);

    const [invoice, creditNote] = order['invoices'] as string[];
    expect(invoice).to.equal(made.invoice.id);

    expect(await read(`/v1/commerce/invoices/${creditNote}`)).to.deep.include({
      type: 'credit_note',
      number: 'CN-000001',
      refund: refund.id,
      totals,
    });
  });

  it('H92: counts amounts exactly up to 2^53 - 1', async () => {
    const largest = Number.MAX_SAFE_INTEGER;
    const id = await createCheckout(tenant, {
      lineItems: [{ name: 'Palace', quantity: 1, unitAmountMinorUnits: largest }],
    });
    const { payment } = await payCheckout(tenant, id);
    const path = `/v1/commerce/payments/${payment.id}`;
    const part = { amount_minor_units: largest - 1 };
    dataOf(await tenant.rest.post(`${path}/refunds`, part), 201);

    expect(await read(path)).to.include({
      amount_minor_units: largest,
      refunded_minor_units: largest - 1,
    });

    dataOf(await tenant.rest.post(`${path}/refunds`), 201);
    expect(await read(path)).to.include({ status: 'refunded', refunded_minor_units: largest });
  });

  it('H87, A29: is shown to live and legacy keys only', async () => {
    for (const path of [
      `orders/${made.order.id}`,
      `payments/${made.payment.id}`,
      `invoices/${made.invoice.id}`,
      'refunds',
    ]) {
      const legacy = await tenant.client({ kind: 'legacy', level: 'read', role: 'accountant' });
      expect((await legacy.get(`/v1/commerce/${path}`)).status, path).to.equal(200);
      const dashboard = await tenant.client({ kind: 'dashboard', role: 'owner' });
      expect((await dashboard.get(`/v1/commerce/${path}`)).status, path).to.equal(401);
    }
  });
});
