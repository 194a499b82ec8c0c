import { expect } from 'chai';
import {
  makeOrder,
  payCheckout,
  createCheckout,
  numberedOf,
  type PaymentBody,
  codeOf,
  type InvoiceBody,
  type RefundBody,
} from '../support/sales.js';
import { dataOf, refusalsOf, toProblem } from '../support/endpoints.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type GraphqlRefusal, type Tenant } from '../support/tenants.js';
import { eventually } from '../support/eventually.js';
import type { Ask } from '../support/rest-client.js';

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
  const find = async (query: string): Promise<number[]> => {
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

  it("shows the provider's fee and the time of booking as they were recorded", async () => {
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

  it('includes both ends of a range, and takes a day alone as that whole day in UTC', async () => {
    expect(await find('created_from=2026-01-31')).to.deep.equal([4, 3, 2]);
    expect(await find('created_to=2026-01-31')).to.deep.equal([2, 1, 0]);
    expect(await find('created_from=2026-01-02&created_to=2026-01-02')).to.deep.equal([1]);
    const noon = encodeURIComponent('2026-01-02T13:00:00+01:00');
    expect(await find(`created_from=${noon}&created_to=${noon}`)).to.deep.equal([1]);
    expect(await find('created_from=2026-01-02T12:00:00.001Z')).to.deep.equal([4, 3, 2]);
    expect(await find('created_to=2026-01-02t11:59:59.999z')).to.deep.equal([0]);
    expect(await find('created_from=2027-01-01')).to.deep.equal([]);
    expect(await find('created_to=0001-01-01')).to.deep.equal([]);
    expect(await find('created_to=9999-12-31')).to.have.lengthOf(5);
  });

  it('leaves out payments without a booking date when it filters by booking', async () => {
    expect(await find('cash_flow_from=2026-01-01')).to.deep.equal([3, 2, 1, 0]);
    expect(await find('cash_flow_to=2026-02-07')).to.deep.equal([2, 1, 0]);
    expect(await find('cash_flow_from=2026-01-09&cash_flow_to=2026-01-09')).to.deep.equal([1]);
  });

  it('matches a whole address, ASCII letters in any case, and combines filters with AND', async () => {
    expect(await find('buyer_email=A%40B.EXAMPLE')).to.deep.equal([4, 2, 0]);
    expect(await find('buyer_email=anna%40b.example')).to.deep.equal([1]);
    expect(await find('buyer_email=nna%40b.example')).to.deep.equal([]);
    expect(await find('buyer_email=%25%40b.example')).to.deep.equal([]);
    expect(await find('buyer_email=a%40b.example&created_from=2026-01-02')).to.deep.equal([4, 2]);
    const all = 'buyer_email=a%40b.example&created_to=2026-02-28&cash_flow_from=2026-01-09';
    expect(await find(all)).to.deep.equal([2]);
  });

  it('H274: finds a buyer however the domain is spelled, and shows the address as sent', async () => {
    const other = await createTenant(service);
    const spellings = ['kim@m\u00fcnchen.example', 'Kim@xn--mnchen-3ya.example'];
    for (const buyerEmail of [...spellings, '\u212aim@m\u00fcnchen.example']) {
      await payCheckout(other, await createCheckout(other), { buyerEmail });
    }
    for (const spelling of spellings) {
      const query = `${path}?buyer_email=${encodeURIComponent(spelling)}`;
      const listed = dataOf<PaymentBody[]>(await other.rest.get(query), 200);
      expect(listed.map((payment) => payment.buyer_email)).to.have.members(spellings);
    }
  });

  it('A42: pages through a filtered list, and ends with its last page', async () => {
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

  it('refuses invalid filters, and names each', async () => {
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

const pathOf = (payment: string) => `/v1/commerce/payments/${payment}/refunds`;

describe('commerce.payments.refunds.create', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  /** Pays a plain order of 1,900. @returns the id of its payment */
  const paid = async () => (await makeOrder(tenant)).payment.id;
  const refund = (payment: string, body?: unknown, ask: Ask = {}) =>
    tenant.rest.post(pathOf(payment), body, ask);
  const paymentOf = async (id: string) =>
    dataOf<PaymentBody>(await tenant.rest.get(`/v1/commerce/payments/${id}`), 200);
  const creditNotes = async (order: string) => {
    const { invoices } = dataOf<{ invoices: string[] }>(
      await tenant.rest.get(`/v1/commerce/orders/${order}`),
      200,
    );
    const all = await Promise.all(
      invoices.map(async (id) =>
        dataOf<InvoiceBody>(await tenant.rest.get(`/v1/commerce/invoices/${id}`), 200),
      ),
    );
    return all.filter(({ type }) => type === 'credit_note');
  };

  it('H12: refunds the whole payment when no amount is named, with a body and without one', async () => {
    for (const body of [undefined, {}]) {
      const { order, payment } = await makeOrder(tenant);
      const reply = await refund(payment.id, body);
      const { id, created_at: created, ...refunded } = dataOf<RefundBody>(reply, 201);
      expect(id).to.match(/^rfd_[0-9A-Za-z]{24}$/);
      expect(reply.headers['location']).to.equal(`/v1/commerce/refunds/${id}`);

      expect(refunded).to.deep.equal({
        object: 'refund',
        payment: payment.id,
        order: order.id,
        status: 'succeeded',
        currency: 'EUR',
        amount_minor_units: 1_900,
        reason: null,
        note: null,
        cash_flow_at: created,
      });

      const retrieved = await tenant.rest.get(`/v1/commerce/refunds/${id}`);
      expect(dataOf(retrieved, 200)).to.deep.equal(dataOf(reply, 201));

      expect(await paymentOf(payment.id)).to.include({
        status: 'refunded',
        refunded_minor_units: 1_900,
      });
    }
  });

  it('refunds parts until nothing is left, and issues a credit note for every part', async () => {
    const { order, payment } = await makeOrder(tenant, {
      shippingMinorUnits: 390,
      lineItems: [
        {
          name: 'Poster',
          quantity: 3,
          unitAmountMinorUnits: 333,
          discountMinorUnits: 100,
          taxMinorUnits: 171,
        },
      ],
    });

    for (const amount of [1, 500, 499]) {
      const note = 'Danke 🙏';
      const body = { amount_minor_units: amount, reason: 'duplicate', note };
      const part = dataOf<RefundBody>(await refund(payment.id, body), 201);
      expect(part).to.include({ amount_minor_units: amount, reason: 'duplicate', note });
    }

    expect(await paymentOf(payment.id)).to.include({
      status: 'partially_refunded',
      amount_minor_units: 1_460,
      refunded_minor_units: 1_000,
    });

    dataOf(await refund(payment.id), 201);

    const notes = await creditNotes(order.id);
    expect(notes.map(({ totals }) => totals['total_minor_units'])).to.deep.equal([
      1, 500, 499, 460,
    ]);

    const sum = (part: string) => notes.reduce((all, { totals }) => all + (totals[part] ?? 0), 0);
    expect(sum('subtotal_minor_units')).to.equal(999);
    expect(sum('discount_minor_units')).to.equal(100);
    expect(sum('shipping_minor_units')).to.equal(390);
    expect(sum('tax_minor_units')).to.equal(171);

    const retrieved = await tenant.rest.get(`/v1/commerce/orders/${order.id}`);
    expect(dataOf<object>(retrieved, 200)).to.include({ refunded_minor_units: 1_460 });
  });

  it('A7, H57: requires an idempotency key, and refunds once under it', async () => {
    const payment = await paid();
    expect(codeOf(await refund(payment, {}, { key: null }), 400)).to.equal(
      'idempotency_key_required',
    );

    const key = `refund-${payment}`;
    const first = await refund(payment, { amount_minor_units: 100, note: 'a' }, { key });
    const again = await refund(payment, { note: 'a', amount_minor_units: 100 }, { key });
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(again.headers['location']).to.equal(first.headers['location']);
    expect(dataOf(again, 201)).to.deep.equal(dataOf(first, 201));

    const other = await refund(payment, { amount_minor_units: 101, note: 'a' }, { key });
    expect(codeOf(other, 409)).to.equal('idempotency_key_conflict');

    const elsewhere = await refund(await paid(), { amount_minor_units: 100, note: 'a' }, { key });
    expect(codeOf(elsewhere, 409)).to.equal('idempotency_key_conflict');
    expect(await paymentOf(payment)).to.include({ refunded_minor_units: 100 });
  });

  it('H44: frees the key of a refused refund, also for another amount', async () => {
    const payment = await paid();
    const key = `refused-${payment}`;
    expect(refusalsOf(await refund(payment, { amount_minor_units: 1_901 }, { key }))).to.deep.equal(
      ['amount_minor_units: amount_exceeds_refundable'],
    );
    dataOf(await refund(payment, { amount_minor_units: 1_900 }, { key }), 201);
    const replayed = await refund(payment, { amount_minor_units: 1_900 }, { key });
    expect(replayed.headers['idempotent-replayed']).to.equal('true');
  });

  it('H48: answers one of many requests under one key, and refunds once', async () => {
    const payment = await paid();
    const key = `twin-${payment}`;
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => refund(payment, { amount_minor_units: 5 }, { key })),
    );
    const statuses = new Set(replies.map(({ status }) => status));
    expect([...statuses].every((status) => status === 201 || status === 409)).to.equal(true);
    expect(await paymentOf(payment)).to.include({ refunded_minor_units: 5 });
  });

  /** Repeats the request under the same key after a 503, as clients should. */
  const refundUntilConfirmed = (payment: string, key: string) =>
    eventually(async () => {
      const reply = await refund(payment, { amount_minor_units: 30 }, { key });
      if (reply.status === 503) throw new Error(toProblem(reply, 503).detail);
      return reply;
    }, `the refund ${key} is made or refused`);

  it('H44: never refunds more than was paid, however many ask at once', async () => {
    const { order, payment } = await makeOrder(tenant);
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        refundUntilConfirmed(payment.id, `crowd-${payment.id}-${index}`),
      ),
    );

    const refunded = replies.filter(({ status }) => status === 201);
    expect(refunded).to.have.lengthOf(63);

    for (const refused of replies.filter(({ status }) => status !== 201)) {
      expect(refusalsOf(refused)).to.deep.equal(['amount_minor_units: amount_exceeds_refundable']);
    }

    expect(await paymentOf(payment.id)).to.include({ refunded_minor_units: 1_890 });

    const notes = await creditNotes(order.id);
    expect(notes).to.have.lengthOf(63);

    const numbers = notes.map(({ number }) => Number(number.replace('CN-', '')));
    expect(numbers.at(-1)! - numbers[0]!).to.equal(62);
  });

  it('refuses a payment that is fully refunded or was charged back', async () => {
    const payment = await paid();
    dataOf(await refund(payment), 201);

    for (const body of [undefined, { amount_minor_units: 1 }]) {
      expect(codeOf(await refund(payment, body), 409)).to.equal('payment_not_refundable');
    }

    const other = await paid();
    await service.database.query(`update payment set status = 'charged_back' where id = $1`, [
      other,
    ]);
    expect(codeOf(await refund(other), 409)).to.equal('payment_not_refundable');

    const free = await makeOrder(tenant, {
      lineItems: [{ name: 'Gift', quantity: 1, unitAmountMinorUnits: 0 }],
    });
    const refusal = toProblem(await refund(free.payment.id), 409);
    expect(refusal).to.deep.include({
      code: 'payment_not_refundable',
      detail: 'The order was free, so there is nothing to refund.',
    });
  });

  it('refuses an invalid amount, reason or note, names each, and changes nothing', async () => {
    const payment = await paid();
    const cases: [unknown, string[]][] = [
      [{ amount_minor_units: 0 }, ['amount_minor_units: out_of_range']],
      [{ amount_minor_units: -5 }, ['amount_minor_units: out_of_range']],
      [{ amount_minor_units: 1e300 }, ['amount_minor_units: out_of_range']],
      [{ amount_minor_units: -1e300 }, ['amount_minor_units: out_of_range']],
      [{ amount_minor_units: 1.5 }, ['amount_minor_units: invalid_type']],
      [{ amount_minor_units: '5' }, ['amount_minor_units: invalid_type']],
      [{ amount_minor_units: null }, ['amount_minor_units: invalid_type']],
      [{ amount_minor_units: [5] }, ['amount_minor_units: invalid_type']],
      [
        { amount_minor_units: Number.MAX_SAFE_INTEGER },
        ['amount_minor_units: amount_exceeds_refundable'],
      ],
      [
        { amount_minor_units: -1, reason: 'whim' },
        ['amount_minor_units: out_of_range', 'reason: invalid_value'],
      ],
      [{ reason: '' }, ['reason: invalid_value']],
      [{ reason: null }, ['reason: invalid_type', 'reason: invalid_value']],
      [{ note: 'x'.repeat(501) }, ['note: too_long']],
      [{ note: 'a\0b' }, ['note: invalid_value']],
      [{ note: 7 }, ['note: invalid_type']],
      [{ note: '\ud83d' }, ['note: invalid_value']],
      [{ currency: 'EUR', colour: 1 }, ['currency: unknown_property', 'colour: unknown_property']],
      [[], [': invalid_type']],
      ['x', [': invalid_type']],
    ];
    for (const [body, refusals] of cases) {
      const refused = refusalsOf(await refund(payment, body));
      expect(refused, JSON.stringify(body)).to.have.members(refusals);
    }

    for (const bytes of [
      '{"amount_minor_units":1e400}',
      '{"amount_minor_units":9007199254740993}',
    ]) {
      const headers = { 'content-type': 'application/json' };
      const reply = await tenant.rest.send('POST', pathOf(payment), { bytes, headers });
      expect(codeOf(reply, 400), bytes).to.equal('invalid_json');
    }

    expect(dataOf<object>(await refund(payment, { note: '🙏'.repeat(500) }), 201)).to.include({
      amount_minor_units: 1_900,
    });
  });

  it('H47, H91: looks up the payment before it validates the amount', async () => {
    const theirs = await createTenant(service);
    const payment = await paid();
    for (const body of [{}, { amount_minor_units: -1 }, { reason: 'whim' }, { colour: 1 }]) {
      const foreign = await theirs.rest.post(pathOf(payment), body);
      expect(codeOf(foreign, 404), JSON.stringify(body)).to.equal('not_found');
    }
    expect(await paymentOf(payment)).to.include({ refunded_minor_units: 0 });
  });

  it('H88, H89: requires the orders permission at write', async () => {
    const payment = await paid();

    for (const input of [
      { kind: 'live', level: 'read' },
      { kind: 'live', role: 'developer' },
      { kind: 'legacy', role: 'viewer' },
    ] as const) {
      const client = await tenant.client(input);
      expect(codeOf(await client.post(pathOf(payment), {}), 403)).to.equal('forbidden');
    }

    const dashboard = await tenant.client({ kind: 'dashboard', role: 'owner' });
    expect(codeOf(await dashboard.post(pathOf(payment), {}), 401)).to.equal('unauthorized');

    const legacy = await tenant.client({ kind: 'legacy', role: 'admin' });
    dataOf(await legacy.post(pathOf(payment), {}), 201);
  });
});
