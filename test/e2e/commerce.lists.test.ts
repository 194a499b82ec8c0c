import { expect } from 'chai';
import {
  createCheckout,
  makeOrder,
  type MadePayment,
  payCheckout,
  numberedOf,
} from '../support/sales.js';
import { dataOf, refusalsOf } from '../support/endpoints.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type GraphqlRefusal, type Tenant } from '../support/tenants.js';

const orders = 27;

describe('the lists of commerce', () => {
  let service: Service;
  let tenant: Tenant;

  /** Newest first. */
  const ids: Record<'orders' | 'payments' | 'refunds' | 'invoices', string[]> = {
    orders: [],
    payments: [],
    refunds: [],
    invoices: [],
  };

  const lists = ['orders', 'payments', 'refunds', 'invoices'] as const;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);

    // Open, expired and paid ones side by side: only what was paid is an order.
    await createCheckout(tenant);

    for (let count = 0; count < orders; count += 1) {
      const { order, payment, invoice } = await makeOrder(tenant);
      const path = `/v1/commerce/payments/${payment.id}/refunds`;
      const refund = dataOf<{ id: string }>(await tenant.rest.post(path), 201);
      ids.orders.unshift(order.id);
      ids.payments.unshift(payment.id);
      ids.refunds.unshift(refund.id);
      ids.invoices.unshift(invoice.id);
    }

    await createCheckout(tenant);
  });

  const page = async (list: string, query = '') =>
    numberedOf(await tenant.rest.get(`/v1/commerce/${list}${query}`));

  for (const list of lists) {
    const path = `/v1/commerce/${list}`;
    const largest = list === 'payments' ? 100 : 25;

    it(`H32: shows ${list} newest first, 25 to a page by default`, async () => {
      const total = list === 'invoices' ? 2 * orders : orders;
      const first = await page(list);
      expect(first.pagination).to.deep.equal({
        total_pages: Math.ceil(total / 25),
        current_page: 1,
        per_page: 25,
        total_count: total,
      });

      const all = [...first.ids];
      for (let number = 2; number <= first.pagination.total_pages; number += 1) {
        const { ids: more, pagination } = await page(list, `?page=${number}`);
        expect(pagination.current_page).to.equal(number);
        all.push(...more);
      }

      expect(all).to.have.lengthOf(total);
      expect(all).to.deep.equal([...all].sort().reverse());
      expect(all.filter((id) => ids[list].includes(id))).to.deep.equal(ids[list]);
    });

    it(`A41: treats more than ${largest} ${list} per page as ${largest}`, async () => {
      for (const size of [largest, largest + 1, 1_000, '99999999999999999999']) {
        expect((await page(list, `?per_page=${size}`)).pagination.per_page).to.equal(largest);
      }
      const { ids: few, pagination } = await page(list, '?per_page=2&page=2');
      expect(few).to.have.lengthOf(2);
      expect(pagination).to.include({ per_page: 2, current_page: 2 });
    });

    it(`A42: answers a page beyond the last with the last page of ${list}, so that paging ends`, async () => {
      const { pagination: known } = await page(list, '?per_page=10');
      const last = await page(list, `?per_page=10&page=${known.total_pages}`);

      for (const beyond of [known.total_pages + 1, 1_000_000, '99999999999999999999']) {
        expect(await page(list, `?per_page=10&page=${beyond}`)).to.deep.equal(last);
      }

      const seen: string[] = [];
      for (let number = 1; ; number += 1) {
        const { ids: pageIds, pagination } = await page(list, `?per_page=10&page=${number}`);
        seen.push(...pageIds);
        if (pagination.current_page === pagination.total_pages) break;
      }

      expect(new Set(seen)).to.have.lengthOf(known.total_count);
      expect(seen).to.have.lengthOf(known.total_count);
    });

    it(`A43: shows one empty page of ${list} when there are none`, async () => {
      const { rest } = await createTenant(service);
      for (const query of ['', '?page=7']) {
        expect(numberedOf(await rest.get(path + query))).to.deep.equal({
          ids: [],
          pagination: { total_pages: 1, current_page: 1, per_page: 25, total_count: 0 },
        });
      }
    });

    it(`A9: refuses a page of ${list} that is not a number from 1, and names the parameter`, async () => {
      const cases: Record<string, string[]> = {
        'page=0': ['page: out_of_range'],
        'page=-1&per_page=0': ['page: out_of_range', 'per_page: out_of_range'],
        'page=1.5&per_page=ten': ['page: invalid_type', 'per_page: invalid_type'],
        'page=%00&per_page=%F0%9F%98%80': ['page: invalid_type', 'per_page: invalid_type'],
        'page=&per_page=1&per_page=2': ['page: invalid_value', 'per_page: invalid_value'],
        'limit=5&cursor=x': ['limit: unknown_parameter', 'cursor: unknown_parameter'],
      };
      for (const [query, refusals] of Object.entries(cases)) {
        const refused = refusalsOf(await tenant.rest.get(`${path}?${query}`));
        expect(refused, query).to.have.members(refusals);
      }
    });
  }

  describe('the filters by buyer, dates and number', () => {
    let other: Tenant;
    let early: MadePayment;
    let late: MadePayment;
    let refund: string;
    let note: string;

    before(async () => {
      other = await createTenant(service);
      early = await payCheckout(other, await createCheckout(other), {
        buyerEmail: 'Ada@Example.com',
      });
      late = await payCheckout(other, await createCheckout(other), {
        buyerEmail: 'bob@example.com',
      });

      const path = `/v1/commerce/payments/${early.payment.id}/refunds`;
      const refunded = dataOf<{ id: string }>(
        await other.rest.post(path, { amount_minor_units: 5 }),
        201,
      );

      refund = refunded.id;
      [note = ''] = (await findIds('invoices', {})).ids;
    });

    const findIds = async (list: string, filter: Readonly<Record<string, string>>) => {
      const variables = { account: other.account, ...filter };
      const types = ['account: ID', ...Object.keys(filter).map((name) => `${name}: String`)];
      const given = Object.keys(variables).map((name) => `${name}: $${name}`);
      const answer = await other.graphql<
        Readonly<Record<string, { data: { id: string }[]; pagination: { totalCount: number } }>>
      >(
        `query (${types.map((type) => `$${type}`).join(', ')}) {
           ${list}(${given.join(', ')}) { data { id } pagination { totalCount } } }`,
        variables,
      );
      const { data = [], pagination } = answer[list] ?? {};
      return { ids: data.map(({ id }) => id), count: pagination?.totalCount };
    };

    const expectFound = async (
      filter: Readonly<Record<string, string>>,
      expected: Readonly<Record<'orders' | 'refunds' | 'invoices', readonly string[]>>,
    ) => {
      for (const [list, wanted] of Object.entries(expected)) {
        const { ids: shown, count } = await findIds(list, filter);
        expect(shown, `${list} of ${JSON.stringify(filter)}`).to.deep.equal(wanted);
        expect(count).to.equal(wanted.length);
      }
    };

    it('H278: finds orders, refunds and invoices by their buyer, in any case', async () => {
      await expectFound(
        { buyerEmail: 'aDA@example.COM' },
        { orders: [early.order.id], refunds: [refund], invoices: [note, early.invoice.id] },
      );
      await expectFound(
        { buyerEmail: 'bob@example.com' },
        { orders: [late.order.id], refunds: [], invoices: [late.invoice.id] },
      );
      await expectFound(
        { buyerEmail: 'ob@example.com' },
        { orders: [], refunds: [], invoices: [] },
      );
    });

    it('H278: finds orders, refunds and invoices by the number of an invoice or a credit note', async () => {
      await expectFound(
        { number: 'INV-000001' },
        { orders: [early.order.id], refunds: [refund], invoices: [early.invoice.id] },
      );

      await expectFound(
        { number: 'inv-000002' },
        { orders: [late.order.id], refunds: [], invoices: [late.invoice.id] },
      );

      await expectFound(
        { number: 'CN-000001' },
        { orders: [early.order.id], refunds: [refund], invoices: [note] },
      );

      await expectFound(
        { number: 'INV-000001', buyerEmail: 'bob@example.com' },
        { orders: [], refunds: [], invoices: [] },
      );

      // Another account has many of these numbers.
      await expectFound({ number: 'INV-000009' }, { orders: [], refunds: [], invoices: [] });
    });

    it('H278: finds orders, refunds and invoices by the time of their creation, both ends included', async () => {
      const timeOf = async (list: string, id: string) => {
        const reply = await other.rest.get(`/v1/commerce/${list}/${id}`);
        return dataOf<{ created_at: string }>(reply, 200).created_at;
      };

      const at = await timeOf('orders', late.order.id);
      await expectFound(
        { createdFrom: at, createdTo: at },
        { orders: [late.order.id], refunds: [], invoices: [late.invoice.id] },
      );

      await expectFound(
        { createdFrom: at },
        { orders: [late.order.id], refunds: [refund], invoices: [note, late.invoice.id] },
      );

      await expectFound(
        { createdTo: at },
        {
          orders: [late.order.id, early.order.id],
          refunds: [],
          invoices: [late.invoice.id, early.invoice.id],
        },
      );

      await expectFound({ createdTo: '2001-01-01' }, { orders: [], refunds: [], invoices: [] });
    });

    it('H278: refuses filters that are not an address, date or number, and names them', async () => {
      const cases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
        buyer_email: { buyerEmail: 'bob' },
        created_from: { createdFrom: '2026-02-30' },
        created_to: { createdTo: 'today' },
        number: { number: '' },
      };
      for (const [param, filter] of Object.entries(cases)) {
        for (const list of ['orders', 'refunds', 'invoices']) {
          const error = await findIds(list, filter).catch((thrown: unknown) => thrown);
          const { code, extensions } = error as GraphqlRefusal;
          expect(code, `${list}: ${param}`).to.equal('validation_failed');
          expect(extensions['errors']).to.have.nested.property('[0].param', param);
        }
      }
    });

    it('H278: treats two spellings of one address as one buyer', async () => {
      const buyerEmail = 'eva@xn--mnchen-3ya.example';
      const abroad = await payCheckout(other, await createCheckout(other), { buyerEmail });
      const expected = {
        orders: [abroad.order.id],
        refunds: [],
        invoices: [abroad.invoice.id],
      };
      await expectFound({ buyerEmail: 'Eva@münchen.example' }, expected);
      await expectFound({ number: 'INV-000003', buyerEmail: 'eva@MÜNCHEN.example' }, expected);
    });

    it('H278: the lists of /v1 have no such filters', async () => {
      for (const list of ['orders', 'refunds', 'invoices']) {
        for (const name of ['buyer_email', 'created_from', 'created_to', 'number']) {
          const refused = refusalsOf(await other.rest.get(`/v1/commerce/${list}?${name}=x`));
          expect(refused).to.deep.equal([`${name}: unknown_parameter`]);
        }
      }
    });
  });

  it('shows nothing of a checkout before it is paid', async () => {
    const { pagination } = await page('orders');
    expect(pagination.total_count).to.equal(orders);
  });
});

interface Read {
  readonly id: string;
  readonly created_at: string;
  readonly [member: string]: unknown;
}

describe('the objects of a paid checkout', () => {
  let service: Service;
  let tenant: Tenant;
  let checkout: string;
  let sale: Awaited<ReturnType<typeof payCheckout>>;

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

    sale = await payCheckout(tenant, checkout, { buyerName: '山田 花子', buyerCountry: 'JP' });
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

  it('commerce.orders.retrieve shows the order with every member', async () => {
    const order = await read(`/v1/commerce/orders/${sale.order.id}`);
    expect(order.created_at).to.equal(order['completed_at']);

    expect(order).to.deep.equal({
      object: 'order',
      id: sale.order.id,
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
      payments: [sale.payment.id],
      invoices: [sale.invoice.id],
      metadata: { customer_id: '42', nested: { list: [1, null, 'é'] } },
      affiliate: { code: 'partner-9' },
    });
  });

  it('commerce.payments.retrieve shows the payment with every member', async () => {
    const payment = await read(`/v1/commerce/payments/${sale.payment.id}`);
    expect(payment).to.deep.equal({
      object: 'payment',
      id: sale.payment.id,
      order: sale.order.id,
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

  it('commerce.invoices.retrieve shows the invoice with every member', async () => {
    const invoice = await read(`/v1/commerce/invoices/${sale.invoice.id}`);
    expect(invoice['pdf_url']).to.match(
      new RegExp(`^${service.url}/documents/${sale.invoice.id}/[0-9a-f]{32}\\.pdf$`),
    );

    expect(invoice).to.deep.equal({
      object: 'invoice',
      id: sale.invoice.id,
      number: 'INV-000001',
      type: 'invoice',
      order: sale.order.id,
      payment: sale.payment.id,
      refund: null,
      currency: 'EUR',
      totals,
      buyer,
      issued_at: invoice.created_at,
      created_at: invoice.created_at,
      pdf_url: invoice['pdf_url'],
    });
  });

  it('commerce.refunds.retrieve shows the refund, and a credit note exists', async () => {
    const path = `/v1/commerce/payments/${sale.payment.id}/refunds`;
    const refund = dataOf<Read>(await tenant.rest.post(path, { reason: 'other' }), 201);
    expect(await read(`/v1/commerce/refunds/${refund.id}`)).to.deep.equal(refund);

    const order = await read(`/v1/commerce/orders/${sale.order.id}`);
    expect(order['refunded_minor_units']).to.equal(3_465);

    const [invoice, creditNote] = order['invoices'] as string[];
    expect(invoice).to.equal(sale.invoice.id);

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

  it('H87, A29: shows a sale to live and legacy keys only', async () => {
    for (const path of [
      `orders/${sale.order.id}`,
      `payments/${sale.payment.id}`,
      `invoices/${sale.invoice.id}`,
      'refunds',
    ]) {
      const legacy = await tenant.client({ kind: 'legacy', level: 'read', role: 'accountant' });
      expect((await legacy.get(`/v1/commerce/${path}`)).status, path).to.equal(200);
      const dashboard = await tenant.client({ kind: 'dashboard', role: 'owner' });
      expect((await dashboard.get(`/v1/commerce/${path}`)).status, path).to.equal(401);
    }
  });
});
