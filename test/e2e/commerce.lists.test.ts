import { expect } from 'chai';
import { createCheckout, makeOrder } from '../support/checkouts.js';
import { numberedOf } from '../support/commerce.js';
import { dataOf, refusalsOf } from '../support/endpoints.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

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

  it('shows nothing of a checkout before it is paid', async () => {
    const { pagination } = await page('orders');
    expect(pagination.total_count).to.equal(orders);
  });
});
