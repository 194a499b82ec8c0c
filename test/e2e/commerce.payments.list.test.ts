import { expect } from 'chai';
import {
  makeOrder,
  payCheckout,
  createCheckout,
  numberedOf,
  type PaymentBody,
} from '../support/sales.js';
import { dataOf, refusalsOf } from '../support/endpoints.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type GraphqlRefusal, type Tenant } from '../support/tenants.js';

const path = '/v1/commerce/payments';

describe('commerce.payments.list', () => {
  let service: Service;
  let tenant: Tenant;

  /** Oldest first, made on five days; the last is not booked yet. */
  const payments: string[] = [];
  const days = ['2026-01-01', '2026-01-02', '2026-01-31', '2026-02-28', '2026-03-01'];

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);

    const buyers = ['a@b.example', 'Anna@B.example', 'a@b.example', 'x@y.example', 'a@b.example'];

    for (const [index, day] of days.entries()) {
      const checkout = await createCheckout(tenant);
      const { payment } = await payCheckout(tenant, checkout, { buyerEmail: buyers[index] });
      await service.database.query(
        `update payment set created_at = $2::timestamptz,
                cash_flow_at = case when $3 then null else $2::timestamptz + interval '7 days' end
          where id = $1`,
        [payment.id, `${day}T12:00:00.000Z`, index === days.length - 1],
      );

      payments.push(payment.id);
    }
  });

  /** Which of the payments a query finds, by their number from 0, newest first. */
  const found = async (query: string): Promise<number[]> => {
    const { ids, pagination } = numberedOf(await tenant.rest.get(`${path}?${query}`));
    expect(pagination.total_count, query).to.equal(ids.length);
    return ids.map((id) => payments.indexOf(id));
  };

  it('shows when the sale was made and when the money is booked', async () => {
    const { payment } = await makeOrder(await createTenant(service));
    expect(payment.id).to.match(/^pay_/);
    const all = dataOf<PaymentBody[]>(await tenant.rest.get(path), 200);
    expect(all[0]).to.deep.include({ created_at: '2026-03-01T12:00:00.000Z', cash_flow_at: null });
    expect(all[4]?.cash_flow_at).to.equal('2026-01-08T12:00:00.000Z');
  });

  it('shows what the provider keeps and when it pays, as the payment was recorded', async () => {
    const other = await createTenant(service);
    const cashFlowAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
    const booked = { feeMinorUnits: 57, cashFlowAt };
    await payCheckout(other, await createCheckout(other), booked);

    const [payment] = dataOf<PaymentBody[]>(await other.rest.get(path), 200);
    expect(payment).to.deep.include({
      amount_minor_units: 1_900,
      fee_minor_units: 57,
      net_minor_units: 1_843,
      cash_flow_at: cashFlowAt,
    });

    for (const feeMinorUnits of [-1, 1_901]) {
      const paid = payCheckout(other, await createCheckout(other), { feeMinorUnits });
      const refusal = await paid.catch((error: unknown) => error);
      expect((refusal as GraphqlRefusal).extensions['errors']).to.deep.include.members([
        {
          code: 'out_of_range',
          detail: 'Must be an integer from 0 to 1900, the amount paid.',
          param: 'fee_minor_units',
        },
      ]);
    }
  });

  it('takes ends of a range in, and a day alone as that whole day in UTC', async () => {
    expect(await found('created_from=2026-01-31')).to.deep.equal([4, 3, 2]);
    expect(await found('created_to=2026-01-31')).to.deep.equal([2, 1, 0]);
    expect(await found('created_from=2026-01-02&created_to=2026-01-02')).to.deep.equal([1]);
    const noon = encodeURIComponent('2026-01-02T13:00:00+01:00');
    expect(await found(`created_from=${noon}&created_to=${noon}`)).to.deep.equal([1]);
    expect(await found('created_from=2026-01-02T12:00:00.001Z')).to.deep.equal([4, 3, 2]);
    expect(await found('created_to=2026-01-02t11:59:59.999z')).to.deep.equal([0]);
    expect(await found('created_from=2027-01-01')).to.deep.equal([]);
    expect(await found('created_to=0001-01-01')).to.deep.equal([]);
    expect(await found('created_to=9999-12-31')).to.have.lengthOf(5);
  });

  it('leaves out what has no date of its booking when it is asked for bookings', async () => {
    expect(await found('cash_flow_from=2026-01-01')).to.deep.equal([3, 2, 1, 0]);
    expect(await found('cash_flow_to=2026-02-07')).to.deep.equal([2, 1, 0]);
    expect(await found('cash_flow_from=2026-01-09&cash_flow_to=2026-01-09')).to.deep.equal([1]);
  });

  it('matches a whole address, ASCII letters in any case, and combines filters with AND', async () => {
    expect(await found('buyer_email=A%40B.EXAMPLE')).to.deep.equal([4, 2, 0]);
    expect(await found('buyer_email=anna%40b.example')).to.deep.equal([1]);
    expect(await found('buyer_email=nna%40b.example')).to.deep.equal([]);
    expect(await found('buyer_email=%25%40b.example')).to.deep.equal([]);
    expect(await found('buyer_email=a%40b.example&created_from=2026-01-02')).to.deep.equal([4, 2]);
    const all = 'buyer_email=a%40b.example&created_to=2026-02-28&cash_flow_from=2026-01-09';
    expect(await found(all)).to.deep.equal([2]);
  });

  it('H274: finds a buyer however the domain is spelled, and shows what was sent', async () => {
    const other = await createTenant(service);
    const spellings = ['kim@m\u00fcnchen.example', 'Kim@xn--mnchen-3ya.example'];
    for (const buyerEmail of [...spellings, '\u212aim@m\u00fcnchen.example']) {
      await payCheckout(other, await createCheckout(other), { buyerEmail });
    }
    for (const each of spellings) {
      const query = `${path}?buyer_email=${encodeURIComponent(each)}`;
      const listed = dataOf<PaymentBody[]>(await other.rest.get(query), 200);
      expect(listed.map((payment) => payment.buyer_email)).to.have.members(spellings);
    }
  });

  it('A42: pages through what a filter leaves, and ends with its last page', async () => {
    const seen: number[] = [];

    for (const page of [1, 2, 3, 9]) {
      const reply = await tenant.rest.get(
        `${path}?buyer_email=a%40b.example&per_page=1&page=${page}`,
      );
      const { ids, pagination } = numberedOf(reply);
      expect(pagination).to.include({ total_pages: 3, current_page: Math.min(page, 3) });
      seen.push(...ids.map((id) => payments.indexOf(id)));
    }

    expect(seen).to.deep.equal([4, 2, 0, 0]);

    const spans = numberedOf(
      await tenant.rest.get(
        `${path}?created_from=2026-01-02&created_to=2026-02-28&per_page=2&page=2`,
      ),
    );

    expect(spans.ids.map((id) => payments.indexOf(id))).to.deep.equal([1]);
    expect(spans.pagination).to.include({ total_count: 3, total_pages: 2 });
  });

  it('refuses filters that say nothing sensible, and names each', async () => {
    const cases: Record<string, string[]> = {
      'created_from=2026-02-30': ['created_from: invalid_format'],
      'created_from=2026-01-01T24:00:00Z': ['created_from: invalid_format'],
      'created_to=2026-01-01T10:00:00': ['created_to: invalid_format'],
      'created_to=20260101&cash_flow_from=now': [
        'created_to: invalid_format',
        'cash_flow_from: invalid_format',
      ],
      'cash_flow_to=1767225600': ['cash_flow_to: invalid_format'],
      'created_from=2026-01-01T10:00:00+01:00': ['created_from: invalid_format'],
      'created_from=2026-01-02&created_to=2026-01-01': ['created_from: invalid_value'],
      'cash_flow_from=2026-01-01T00:00:00.001Z&cash_flow_to=2026-01-01T00:00:00Z': [
        'cash_flow_from: invalid_value',
      ],
      'buyer_email=nobody': ['buyer_email: invalid_format'],
      'buyer_email=a%00%40b.example': ['buyer_email: invalid_value'],
      'buyer_email=': ['buyer_email: invalid_value'],
      'status=refunded': ['status: unknown_parameter'],
    };
    for (const [query, refusals] of Object.entries(cases)) {
      const refused = refusalsOf(await tenant.rest.get(`${path}?${query}`));
      expect(refused, query).to.deep.equal(refusals);
    }
  });
});
