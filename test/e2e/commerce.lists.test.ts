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

    it(`H32: shows ${list} newest first, 25 to a page unless asked otherwise`, async () => {
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

    it(`A41: takes more than ${largest} ${list} to a page as ${largest}`, async () => {
      for (const size of [largest, largest + 1, 1_000, '99999999999999999999']) {
        expect((await page(list, `?per_page=${size}`)).pagination.per_page).to.equal(largest);
      }
      const { ids: few, pagination } = await page(list, '?per_page=2&page=2');
      expect(few).to.have.lengthOf(2);
      expect(pagination).to.include({ per_page: 2, current_page: 2 });
    });

    it(`A42: answers with the last page of ${list} beyond it, so that reading on ends`, async () => {
      const { pagination: known } = await page(list, '?per_page=10');
      const last = await page(list, `?per_page=10&page=${known.total_pages}`);

      for (const beyond of [known.total_pages + 1, 1_000_000, '99999999999999999999']) {
        expect(await page(list, `?per_page=10&page=${beyond}`)).to.deep.equal(last);
      }

      const seen: string[] = [];
      for (let number = 1; ; number += 1) {
        const { ids: found, pagination } = await page(list, `?per_page=10&page=${number}`);
        seen.push(...found);
        if (pagination.current_page === pagination.total_pages) break;
      }

      expect(new Set(seen)).to.have.lengthOf(known.total_count);
      expect(seen).to.have.lengthOf(known.total_count);
    });

    it(`A43: shows one empty page of ${list} where there are none`, async () => {
      const { rest } = await createTenant(service);
      for (const query of ['', '?page=7']) {
        expect(numberedOf(await rest.get(path + query))).to.deep.equal({
          ids: [],
          pagination: { total_pages: 1, current_page: 1, per_page: 25, total_count: 0 },
        });
      }
    });

    it(`A9: refuses a page of ${list} that is no number from 1, and names it`, async () => {
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

  describe('by buyer, dates and number', () => {
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
      const made = dataOf<{ id: string }>(
        await other.rest.post(path, { amount_minor_units: 5 }),
        201,
      );

      refund = made.id;
      [note = ''] = (await found('invoices', {})).ids;
    });

    const found = async (list: string, filter: Readonly<Record<string, string>>) => {
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
        const { ids: shown, count } = await found(list, filter);
        expect(shown, `${list} of ${JSON.stringify(filter)}`).to.deep.equal(wanted);
        expect(count).to.equal(wanted.length);
      }
    };

    it('H278: finds orders, refunds and invoices of a buyer, in any case', async () => {
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

    it('H278: finds them by the number of an invoice or a credit note', async () => {
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

    it('H278: finds them by the time of their creation, both ends included', async () => {
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

    it('H278: refuses what is no address, date or number, and names it', async () => {
      const cases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
        buyer_email: { buyerEmail: 'bob' },
        created_from: { createdFrom: '2026-02-30' },
        created_to: { createdTo: 'today' },
        number: { number: '' },
      };
      for (const [param, filter] of Object.entries(cases)) {
        for (const list of ['orders', 'refunds', 'invoices']) {
          const error = await found(list, filter).catch((thrown: unknown) => thrown);
          const { code, extensions } = error as GraphqlRefusal;
          expect(code, `${list}: ${param}`).to.equal('validation_failed');
          expect(extensions['errors']).to.have.nested.property('[0].param', param);
        }
      }
    });

    it('H278: takes two spellings of one address for one buyer', async () => {
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

    it('H278: leaves the lists of /v1 as they are', async () => {
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
