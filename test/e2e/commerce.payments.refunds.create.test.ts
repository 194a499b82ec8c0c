import { expect } from 'chai';
import {
  makeOrder,
  codeOf,
  type InvoiceBody,
  type PaymentBody,
  type RefundBody,
} from '../support/sales.js';
import { dataOf, toProblem, refusalsOf } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import type { Ask } from '../support/rest-client.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const pathOf = (payment: string) => `/v1/commerce/payments/${payment}/refunds`;

describe('commerce.payments.refunds.create', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  /** An order of 1,900 with nothing else about it. */
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

  it('H12: gives everything back when no amount is named, with a body and without one', async () => {
    for (const body of [undefined, {}]) {
      const { order, payment } = await makeOrder(tenant);
      const reply = await refund(payment.id, body);
      const { id, created_at: created, ...made } = dataOf<RefundBody>(reply, 201);
      expect(id).to.match(/^rfd_[0-9A-Za-z]{24}$/);
      expect(reply.headers['location']).to.equal(`/v1/commerce/refunds/${id}`);

      expect(made).to.deep.equal({
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

      const found = await tenant.rest.get(`/v1/commerce/refunds/${id}`);
      expect(dataOf(found, 200)).to.deep.equal(dataOf(reply, 201));

      expect(await paymentOf(payment.id)).to.include({
        status: 'refunded',
        refunded_minor_units: 1_900,
      });
    }
  });

  it('gives parts back until nothing is left, and bills every part', async () => {
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
      const made = dataOf<RefundBody>(await refund(payment.id, body), 201);
      expect(made).to.include({ amount_minor_units: amount, reason: 'duplicate', note });
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

    const found = await tenant.rest.get(`/v1/commerce/orders/${order.id}`);
    expect(dataOf<object>(found, 200)).to.include({ refunded_minor_units: 1_460 });
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

  it('H44: leaves the key of a refused refund free, also for another amount', async () => {
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

  /** As clients are to go on after a 503: the same request under the same key. */
  const refundUntilConfirmed = (payment: string, key: string) =>
    eventually(async () => {
      const reply = await refund(payment, { amount_minor_units: 30 }, { key });
      if (reply.status === 503) throw new Error(toProblem(reply, 503).detail);
      return reply;
    }, `the refund ${key} is made or refused`);

  it('H44: never gives back more than was paid, however many ask at once', async () => {
    const { order, payment } = await makeOrder(tenant);
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, each) =>
        refundUntilConfirmed(payment.id, `crowd-${payment.id}-${each}`),
      ),
    );

    const made = replies.filter(({ status }) => status === 201);
    expect(made).to.have.lengthOf(63);

    for (const refused of replies.filter(({ status }) => status !== 201)) {
      expect(refusalsOf(refused)).to.deep.equal(['amount_minor_units: amount_exceeds_refundable']);
    }

    expect(await paymentOf(payment.id)).to.include({ refunded_minor_units: 1_890 });

    const notes = await creditNotes(order.id);
    expect(notes).to.have.lengthOf(63);

    const numbers = notes.map(({ number }) => Number(number.replace('CN-', '')));
    expect(numbers.at(-1)! - numbers[0]!).to.equal(62);
  });

  it('refuses a payment of which nothing is left, or that was charged back', async () => {
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

  it('refuses what is no amount, reason or note, names each, and changes nothing', async () => {
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

  it('H47, H91: looks for the payment before it looks at the amount', async () => {
    const theirs = await createTenant(service);
    const payment = await paid();
    for (const body of [{}, { amount_minor_units: -1 }, { reason: 'whim' }, { colour: 1 }]) {
      const foreign = await theirs.rest.post(pathOf(payment), body);
      expect(codeOf(foreign, 404), JSON.stringify(body)).to.equal('not_found');
    }
    expect(await paymentOf(payment)).to.include({ refunded_minor_units: 0 });
  });

  it('H88, H89: takes the orders permission at write', async () => {
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
