import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { createAccount } from '../../../../src/domain/account/accounts.js';
import type { CheckoutInput } from '../../../../src/domain/checkout/checkout-input.js';
import {
  createCheckout,
  getCheckout,
  expireCheckouts,
  expiryBatchSize,
} from '../../../../src/domain/checkout/checkouts.js';
import { type PaymentInput, recordPayment } from '../../../../src/domain/payment/record-payment.js';
import type { DomainError } from '../../../../src/domain/errors.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { repositoryRoot } from '../../../support/repository.js';
import { issuesOf, refusalOf } from '../../../support/refusal.js';
import type { Wakeup } from '../../../../src/domain/transaction/wakeup.js';
import { CheckoutExpiry } from '../../../../workers/checkout-expiry.js';
import { expireIn } from '../../../support/sales.js';
import { checkEvent } from '../../../support/contract.js';

const input: CheckoutInput = {
  successUrl: 'https://shop.example/thanks',
  currency: 'EUR',
  lineItems: [
    { name: 'Course', quantity: 2, unitAmountMinorUnits: 5_000, taxMinorUnits: 1_710 },
    {
      name: 'Book',
      productId: 'prod_book1',
      quantity: 1,
      unitAmountMinorUnits: 1_000,
      discountMinorUnits: 100,
      taxPercentage: '7.00',
    },
  ],
  shippingMinorUnits: 390,
  metadata: { b: '1', a: { z: null, y: [1.5, true] } },
  externalReference: 'cart 7',
};

interface Envelope {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly data: Record<string, unknown>;
}

describe('checkouts', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
  });

  after(() => test.drop());
  beforeEach(async () => {
    account = (await database.transact((tx) => createAccount(tx, { name: 'Shop' }))).id;
  });

  const open = (changes: Partial<CheckoutInput> = {}) =>
    database.transact((tx) => createCheckout(tx, account, { ...input, ...changes }));
  const pay = (checkout: string, changes: Partial<PaymentInput> = {}) =>
    database.transact((tx) =>
      recordPayment(tx, account, { checkout, buyerEmail: 'buyer@example.com', ...changes }),
    );

  const age = (id: string, interval: string) =>
    test.query(
      `update checkout set created_at = created_at - $2::interval, expires_at = expires_at - $2::interval where id = $1`,
      [id, interval],
    );

  const events = async () => {
    const rows = await test.query<{ body: Buffer }>(
      `select body from event where account_id = $1 order by id`,
      [account],
    );
    return rows.map(({ body }) => JSON.parse(body.toString()) as Envelope);
  };

  const count = async (table: string) => {
    const [row] = await test.query<{ count: number }>(
      `select count(*)::int as count from ${table} where account_id = $1`,
      [account],
    );
    return row?.count;
  };

  describe('creation', () => {
    it('a new checkout adds up its line items and keeps every field as sent', async () => {
      const checkout = await open({ buyerEmail: 'a@b.example', buyerEmailLocked: true });
      const { id, createdAt, expiresAt } = checkout;
      expect(checkout).to.deep.equal({
        object: 'checkout',
        id,
        status: 'open',
        order: null,
        buyerEmailLocked: true,
        cancelUrl: '',
        successUrl: 'https://shop.example/thanks',
        checkoutUrl: `https://api.example/checkout/${id}`,
        embedUrl: `https://api.example/checkout/${id}/embed`,
        embedOrigin: null,
        externalReference: 'cart 7',
        metadata: input.metadata,
        createdAt,
        expiresAt,
        totals: {
          currency: 'EUR',
          subtotalMinorUnits: 11_000,
          discountMinorUnits: 100,
          shippingMinorUnits: 390,
          taxMinorUnits: 1_710,
          totalMinorUnits: 13_000,
        },
      });

      expect(id).to.match(/^chk_[A-Za-z0-9]{24}$/);
      expect(+expiresAt - +createdAt).to.equal(30 * 60 * 1_000);

      const found = await getCheckout(database.read, account, id);
      expect(found).to.deep.equal(checkout);
      expect(JSON.stringify(found.metadata)).to.equal(JSON.stringify(input.metadata));
    });

    it('A44: a new checkout defaults to empty texts and an empty map', async () => {
      const bare = { successUrl: 'http://localhost:3000/', currency: 'JPY' };
      const lineItems = [{ name: 'x', quantity: 1, unitAmountMinorUnits: 0 }];
      const made = await database.transact((tx) =>
        createCheckout(tx, account, { ...bare, lineItems }),
      );
      expect(made).to.deep.include({
        cancelUrl: '',
        externalReference: '',
        metadata: {},
        buyerEmailLocked: false,
      });
      expect(made.totals.totalMinorUnits).to.equal(0);
    });

    it('a new checkout publishes cart.checkout.created with its data', async () => {
      const { id, createdAt, expiresAt } = await open();
      const [event] = await events();
      expect(event).to.deep.include({ type: 'cart.checkout.created', subject: `checkout:${id}` });

      expect(event?.data).to.deep.include({
        checkout: {
          id,
          object: 'checkout',
          external_reference: 'cart 7',
          created_at: createdAt.toISOString(),
          expires_at: expiresAt.toISOString(),
        },
        metadata: input.metadata,
        currency: 'EUR',
      });
    });

    it('a new checkout holds the largest amounts exactly', async () => {
      const lineItems = [
        { name: 'x', quantity: 1, unitAmountMinorUnits: Number.MAX_SAFE_INTEGER - 1 },
      ];
      const { id } = await open({ lineItems, shippingMinorUnits: 1 });
      const { totals } = await getCheckout(database.read, account, id);
      expect(totals.totalMinorUnits).to.equal(Number.MAX_SAFE_INTEGER);

      const most = Number.MAX_SAFE_INTEGER;
      const given = { name: 'x', quantity: 1, unitAmountMinorUnits: most };
      for (const tooMuch of [
        { lineItems, shippingMinorUnits: 2 },
        { lineItems: [given, { ...given, discountMinorUnits: most }], shippingMinorUnits: 0 },
      ]) {
        expect(await issuesOf(open(tooMuch))).to.deep.equal(['out_of_range line_items']);
      }
    });

    it('reports all issues of a new checkout at once', async () => {
      const work = open({
        successUrl: 'javascript:alert(1)',
        cancelUrl: 'https://shop.example/a b',
        currency: 'eur',
        lineItems: [
          { name: '', quantity: 0, unitAmountMinorUnits: -1 },
          {
            name: 'x',
            productId: 'book',
            quantity: 1,
            unitAmountMinorUnits: 5,
            discountMinorUnits: 6,
            taxMinorUnits: 0.5,
            taxPercentage: '19%',
          },
        ],
        shippingMinorUnits: Number.NaN,
        externalReference: 'a\0',
        metadata: { k: '\ud800' },
        buyerEmail: 'nobody',
        embedOrigin: 'https://shop.example/page',
        affiliate: 'a b',
      });

      expect(await issuesOf(work)).to.deep.equal([
        'invalid_format success_url',
        'invalid_format cancel_url',
        'invalid_value currency',
        'invalid_value line_items',
        'out_of_range line_items',
        'out_of_range line_items',
        'invalid_format line_items',
        'out_of_range line_items',
        'out_of_range line_items',
        'invalid_format line_items',
        'out_of_range shipping_minor_units',
        'invalid_value external_reference',
        'invalid_value metadata',
        'invalid_format buyer_email',
        'invalid_format embed_origin',
        'invalid_format affiliate',
      ]);

      expect(await count('checkout')).to.equal(0);
    });

    it('refuses a checkout whose later events or redirects would be too large', async () => {
      const long = (length: number) => `https://s.example/${'p'.repeat(length - 18)}`;
      expect((await open({ successUrl: long(1_800) })).successUrl).to.have.length(1_800);
      expect(await issuesOf(open({ successUrl: long(1_801) }))).to.deep.equal([
        'too_long success_url',
      ]);
      expect(await issuesOf(open({ metadata: { k: 'x'.repeat(131_072) } }))).to.deep.equal([
        'too_long metadata',
      ]);

      const deep = (levels: number): Record<string, unknown> =>
        levels === 1 ? {} : { a: deep(levels - 1) };
      expect(await issuesOf(open({ metadata: deep(61) }))).to.deep.equal([
        'invalid_value metadata',
      ]);

      const items = Array.from({ length: 100 }, () => ({
        name: '\u0001'.repeat(250),
        quantity: 1,
        unitAmountMinorUnits: 1,
      }));

      const full = (length: number) =>
        open({ lineItems: items, metadata: { ...deep(60), k: 'x'.repeat(length) } });
      expect(await issuesOf(full(90_000))).to.deep.equal(['too_long metadata']);

      const fullest = await full(80_000);
      expect((await pay(fullest.id)).payment.amountMinorUnits).to.equal(490);
      expect(await issuesOf(open({ lineItems: [...items, ...items] }))).to.deep.equal([
        'out_of_range line_items',
      ]);
      expect(await issuesOf(open({ lineItems: [] }))).to.deep.equal(['too_few_items line_items']);
    });
  });

  describe('reading', () => {
    it('H91, A30: a checkout is visible to its account and to no other', async () => {
      const { id } = await open();
      const { id: other } = await database.transact((tx) => createAccount(tx, { name: 'Other' }));
      for (const [owner, wanted] of [
        [other, id],
        [account, 'chk_000000000000000000000000'],
        [account, 'chk_\0'],
        [account, 'ord_1'],
      ] as const) {
        expect(await refusalOf(getCheckout(database.read, owner, wanted))).to.deep.equal({
          code: 'not_found',
          errors: [{ code: 'not_found', detail: 'No checkout with this id.' }],
        });
      }
    });

    it('A21, A23: a checkout is expired from its expiry on, and shows no URL to pay at', async () => {
      const { id } = await open();
      await age(id, '29 minutes 50 seconds');
      expect(await getCheckout(database.read, account, id)).to.include({ status: 'open' });
      await age(id, '10 seconds');
      expect(await getCheckout(database.read, account, id)).to.include({
        status: 'expired',
        order: null,
        checkoutUrl: null,
        embedUrl: null,
      });
    });

    it('A22: a checkout is completed once it has an order, even after its expiry', async () => {
      const { id } = await open();
      const { order } = await pay(id);
      await age(id, '1 day');
      expect(await getCheckout(database.read, account, id)).to.deep.include({
        status: 'completed',
        order: { id: order.id, object: 'order' },
        checkoutUrl: null,
      });
    });
  });

  describe('payment', () => {
    it('a payment creates order and invoice, completes the checkout and returns the thank-you URL', async () => {
      const { id, totals } = await open({ affiliate: 'partner-9' });
      const recorded = await pay(id, { buyerName: 'Ada', buyerCountry: 'DE' });
      const { order, payment, invoice } = recorded;
      expect(order.id).to.match(/^ord_[A-Za-z0-9]{24}$/);
      expect(order).to.deep.include({ checkoutId: id, metadata: input.metadata, totals });
      expect(order.buyer).to.deep.equal({ email: 'buyer@example.com', name: 'Ada', country: 'DE' });

      expect(payment).to.include({
        orderId: order.id,
        status: 'succeeded',
        currency: 'EUR',
        amountMinorUnits: 13_000,
        netMinorUnits: 13_000,
        method: 'card',
      });

      expect(invoice).to.deep.include({ number: 'INV-000001', paymentId: payment.id, totals });
      expect(recorded.thankYouUrl).to.equal(
        `https://shop.example/thanks?order=${order.id}&metadata%5Bb%5D=1&metadata%5Ba%5D=%7B%22z%22%3Anull%2C%22y%22%3A%5B1.5%2Ctrue%5D%7D&affiliate=partner-9`,
      );

      expect((await getCheckout(database.read, account, id)).order).to.deep.equal({
        id: order.id,
        object: 'order',
      });
    });

    it('a payment publishes four events, with the checkout metadata in cart.order.completed', async () => {
      const { id } = await open({ affiliate: 'partner-9' });
      const { order, payment, invoice } = await pay(id);
      const published = await events();
      expect(published.map(({ type, subject }) => `${type} ${subject}`).sort()).to.deep.equal([
        `cart.checkout.created checkout:${id}`,
        `cart.order.completed order:${order.id}`,
        `invoice.issued invoice:${invoice.id}`,
        `order.completed order:${order.id}`,
        `payment.sale.succeeded payment:${payment.id}`,
      ]);

      const completed = published.find(({ type }) => type === 'cart.order.completed');
      expect(completed?.data).to.deep.include({
        metadata: input.metadata,
        affiliate: { code: 'partner-9' },
        payment: { id: payment.id, object: 'payment', method: 'card', amount_minor_units: 13_000 },
      });

      expect((completed?.data['line_items'] as unknown[])[1]).to.deep.equal({
        product: { id: 'prod_book1', name: 'Book' },
        quantity: 1,
        unit_amount_minor_units: 1_000,
        discount_minor_units: 100,
        tax_minor_units: 0,
        tax_percentage: '7.00',
        total_minor_units: 900,
      });

      const legacy = published.find(({ type }) => type === 'order.completed');
      expect(legacy?.data).to.deep.equal({ order_id: order.id, ...completed?.data });
    });

    it('the events of a payment fit their published schemas', async () => {
      const { id } = await open({ affiliate: 'partner-9' });
      await pay(id, { buyerName: 'Ada', buyerCountry: 'DE' });
      await pay((await open()).id);
      const ajv = addFormats.default(new Ajv2020({ strict: true, allowUnionTypes: true }));
      for (const { type, data } of await events()) {
        const path = join(repositoryRoot, 'schema', 'events', `${type}.v1.json`);
        const check = ajv.compile(JSON.parse(readFileSync(path, 'utf8')) as object);
        check(data);
        expect(check.errors, type).to.equal(null);
      }
    });

    it('refuses a payment of a paid checkout, even when many try at once', async () => {
      const { id } = await open();
      const tries = await Promise.all(
        [pay(id), pay(id), pay(id)].map((work) =>
          work.then(
            () => 'paid',
            (error: unknown) => (error as DomainError).code,
          ),
        ),
      );

      expect(tries.sort()).to.deep.equal(['checkout_not_payable', 'checkout_not_payable', 'paid']);

      const refused = await refusalOf(pay(id));
      expect([refused.code, refused.errors[0]?.code]).to.deep.equal([
        'checkout_not_payable',
        'already_paid',
      ]);

      expect(await count('payment')).to.equal(1);
      expect(await events()).to.have.length(5);
    });

    it('returns the same payment for the same key, and refuses other content under it', async () => {
      const { id } = await open();
      const first = await pay(id, { key: 'pi_1', feeMinorUnits: 7 });
      const again = await pay(id, { key: 'pi_1', feeMinorUnits: 7 });
      expect(again.order.id).to.equal(first.order.id);
      expect(again.payment.id).to.equal(first.payment.id);
      expect(again.invoice).to.deep.equal(first.invoice);
      expect(again.order.totals).to.deep.equal(first.order.totals);
      expect(again.thankYouUrl).to.equal(first.thankYouUrl);
      expect(await count('payment')).to.equal(1);

      const { id: second } = await open();
      for (const [checkout, method] of [
        [id, 'sepa'],
        [second, 'card'],
      ] as const) {
        const refused = await refusalOf(pay(checkout, { key: 'pi_1', method }));
        expect([refused.code, refused.errors[0]?.code]).to.deep.equal([
          'checkout_not_payable',
          'payment_key_conflict',
        ]);
      }

      expect((await pay(second, { key: 'pi_2' })).invoice.number).to.equal('INV-000002');
    });

    it('books a payment at the given time, which must not be before the payment began', async () => {
      const { id, createdAt } = await open();
      const at = (ms: number) => new Date(createdAt.getTime() + ms);

      await age(id, '10 minutes');

      const startedAt = at(-60_000);

      for (const cashFlowAt of [at(-60_001), new Date('0001-01-01T00:00:00Z')]) {
        expect(await issuesOf(pay(id, { startedAt, cashFlowAt }))).to.deep.equal([
          'out_of_range cash_flow_at',
        ]);
      }

      expect(await issuesOf(pay(id, { cashFlowAt: at(-600_001) }))).to.deep.equal([
        'out_of_range cash_flow_at',
      ]);
      expect(await count('payment')).to.equal(0);

      const { payment } = await pay(id, { startedAt, cashFlowAt: startedAt });
      expect(payment.cashFlowAt).to.deep.equal(startedAt);

      const { id: other } = await open();
      const month = at(30 * 86_400_000);
      expect((await pay(other, { cashFlowAt: month })).payment.cashFlowAt).to.deep.equal(month);
    });

    it('refuses a payment that began after the expiry, and accepts one that began before', async () => {
      const late = (await open()).id;
      await age(late, '30 minutes');

      const refused = await refusalOf(pay(late));
      expect([refused.code, refused.errors[0]?.code]).to.deep.equal([
        'checkout_not_payable',
        'checkout_expired',
      ]);

      expect((await getCheckout(database.read, account, late)).status).to.equal('expired');

      const { createdAt, expiresAt } = await getCheckout(database.read, account, late);
      expect((await refusalOf(pay(late, { startedAt: expiresAt }))).code).to.equal(
        'checkout_not_payable',
      );
      expect(await issuesOf(pay(late, { startedAt: new Date(+createdAt - 1) }))).to.deep.equal([
        'out_of_range started_at',
      ]);
      await pay(late, { startedAt: new Date(+expiresAt - 1) });
      expect((await getCheckout(database.read, account, late)).status).to.equal('completed');
    });

    it('a payment takes the buyer’s address from the checkout, and accepts no other when it is locked', async () => {
      const bare = (await open()).id;
      expect(await issuesOf(pay(bare, { buyerEmail: null }))).to.deep.equal([
        'required buyer_email',
      ]);
      const known = (await open({ buyerEmail: 'a@b.example' })).id;
      expect((await pay(known, { buyerEmail: null })).order.buyer.email).to.equal('a@b.example');
      const locked = (await open({ buyerEmail: 'a@b.example', buyerEmailLocked: true })).id;
      expect(await issuesOf(pay(locked))).to.deep.equal(['invalid_value buyer_email']);
      await pay(locked, { buyerEmail: 'A@b.example' });
    });

    it('H274: a payment accepts the locked address of its checkout in any spelling of the domain, and no other', async () => {
      const lockedTo = async (buyerEmail: string) =>
        (await open({ buyerEmail, buyerEmailLocked: true })).id;
      const spelled = await lockedTo('kim@m\u00fcnchen.example');
      const buyerEmail = 'KIM@xn--mnchen-3ya.example';
      expect((await pay(spelled, { buyerEmail })).payment.buyerEmail).to.equal(buyerEmail);
      const plain = await lockedTo('kim@b.example');
      for (const other of ['\u212aim@b.example', 'kim@b.example.com', 'k\u0131m@b.example']) {
        expect(await issuesOf(pay(plain, { buyerEmail: other })), other).to.deep.equal([
          'invalid_value buyer_email',
        ]);
      }
    });

    it('refuses a payment with invalid fields, or of another account’s checkout', async () => {
      const { id } = await open();
      const invalid = { method: '', buyerEmail: 'x', buyerName: '\0', buyerCountry: 'de', key: '' };
      expect(await issuesOf(pay(id, invalid))).to.deep.equal([
        'invalid_value method',
        'invalid_format buyer_email',
        'invalid_value buyer_name',
        'invalid_format buyer_country',
        'invalid_value key',
      ]);

      const owner = account;
      const { id: other } = await database.transact((tx) => createAccount(tx, { name: 'Other' }));
      for (account of [other, 'acc_\0', '']) {
        expect((await refusalOf(pay(id))).code).to.equal('not_found');
      }

      account = owner;
      await database.transact((tx) =>
        recordPayment(tx, null, { checkout: id, buyerEmail: 'a@b.example' }),
      );
      expect((await getCheckout(database.read, owner, id)).status).to.equal('completed');
    });

    it('numbers invoices without gaps, even when payments fail or come at the same time', async () => {
      const ids = await Promise.all([open(), open(), open(), open()]);
      await refusalOf(pay(ids[0].id, { buyerEmail: null }));
      const paid = await Promise.all(ids.map(({ id }) => pay(id)));
      expect(paid.map(({ invoice }) => invoice.number).sort()).to.deep.equal([
        'INV-000001',
        'INV-000002',
        'INV-000003',
        'INV-000004',
      ]);
    });

    it('a payment leaves nothing behind when a later step fails', async () => {
      const { id } = await open();
      const failed = database
        .transact(async (tx) => {
          await recordPayment(tx, account, { checkout: id, buyerEmail: 'a@b.example' });
          throw new Error('killed');
        })
        .catch((error: unknown) => (error as Error).message);

      expect(await failed).to.equal('killed');
      expect(await Promise.all(['payment', '"order"', 'invoice'].map(count))).to.deep.equal([
        0, 0, 0,
      ]);
      expect(await events()).to.have.length(1);
      expect((await getCheckout(database.read, account, id)).status).to.equal('open');
    });

    it('the database refuses totals that do not add up', async () => {
      const { id } = await open();
      await pay(id);
      for (const table of ['checkout', '"order"', 'invoice']) {
        const broken = await test
          .query(`update ${table} set total_minor_units = total_minor_units + 1`)
          .catch((error: unknown) => (error as Error).message);
        expect(broken, table).to.match(/_totals_check/);
      }
    });
  });
});

describe('expiring checkouts', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;
  const woken: Wakeup[] = [];

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ wake: (wakeups) => woken.push(...wakeups) });
  });

  after(() => test.drop());

  beforeEach(async () => {
    await test.query(`delete from checkout where order_id is null`);
    account = (await database.transact((tx) => createAccount(tx, { name: 'Shop' }))).id;
  });

  const open = async (expiresInMs?: number) => {
    const { id } = await database.transact((tx) =>
      createCheckout(tx, account, {
        successUrl: 'https://shop.example/thanks',
        currency: 'EUR',
        lineItems: [{ name: 'Poster', quantity: 1, unitAmountMinorUnits: 1_900 }],
        metadata: { b: '1', a: 'é' },
        externalReference: 'cart 7',
      }),
    );
    if (expiresInMs !== undefined) await expireIn(test, id, expiresInMs);
    return id;
  };

  const expire = () => database.transact(expireCheckouts);
  const publishedEvents = async () => {
    const rows = await test.query<{ subject: string }>(
      `select subject from event where account_id = $1 and type = 'cart.checkout.expired' order by id`,
      [account],
    );
    return rows.map(({ subject }) => subject.replace('checkout:', ''));
  };

  it('expires checkouts that were not paid, and publishes each expiry once', async () => {
    const expired = await open(0);
    await open(60_000);
    const paid = await open();
    await database.transact((tx) =>
      recordPayment(tx, account, { checkout: paid, buyerEmail: 'buyer@example.com' }),
    );
    await expireIn(test, paid, -1);
    expect(await expire()).to.equal(1);
    expect(await expire()).to.equal(0);
    expect(await publishedEvents()).to.deep.equal([expired]);
  });

  it('the event of an expiry fits its schema, and a checkout schedules a wake-up at its expiry', async () => {
    woken.length = 0;

    const id = await open();
    const { expiresAt } = await getCheckout(database.read, account, id);
    expect(woken).to.deep.include({ kind: 'expire', at: expiresAt });
    await expireIn(test, id, 0);
    await expire();

    const [event] = await test.query<{ body: Buffer }>(
      `select body from event where subject = $1 and type = 'cart.checkout.expired'`,
      [`checkout:${id}`],
    );

    const body = event?.body ?? Buffer.alloc(0);
    checkEvent(body);

    const { data } = JSON.parse(body.toString()) as { data: Record<string, unknown> };
    expect(data['checkout']).to.include({ id, external_reference: 'cart 7' });
    expect(JSON.stringify(data['metadata'])).to.equal('{"b":"1","a":"é"}');
    expect(woken).to.deep.include({ kind: 'due' });
  });

  it('publishes an expiry once when several workers poll at the same moment', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => open(-1)));
    const found = await Promise.all([expire(), expire(), expire(), expire()]);
    const left = await expire();
    expect(found.reduce((sum, count) => sum + count, left)).to.equal(40);
    expect((await publishedEvents()).sort()).to.deep.equal(ids.sort());
  });

  it('publishes no expiry when the transaction does not commit', async () => {
    const id = await open(-1);
    const failed = database
      .transact(async (tx) => {
        await expireCheckouts(tx);
        throw new Error('killed');
      })
      .catch((error: unknown) => (error as Error).message);
    expect(await failed).to.equal('killed');
    expect(await publishedEvents()).to.deep.equal([]);
    await expire();
    expect(await publishedEvents()).to.deep.equal([id]);
  });

  it('skips a checkout while its payment runs, and expires it when the payment fails', async () => {
    const id = await open(-1);
    const held = await test.hold(`select from checkout where id = '${id}' for no key update`);
    expect(await expire()).to.equal(0);
    await held.release();
    expect(await expire()).to.equal(1);
  });

  it('a payment that began before the expiry still completes an expired checkout', async () => {
    const id = await open(-1);
    await expire();
    const { expiresAt } = await getCheckout(database.read, account, id);
    const startedAt = new Date(expiresAt.getTime() - 1);
    await database.transact((tx) =>
      recordPayment(tx, account, { checkout: id, buyerEmail: 'buyer@example.com', startedAt }),
    );
    expect(await getCheckout(database.read, account, id)).to.include({ status: 'completed' });
    expect(await publishedEvents()).to.deep.equal([id]);
  });

  it('finds expired checkouts through an index of those that are open', async () => {
    await test.query(
      `insert into checkout (id, account_id, success_url, cancel_url, external_reference,
         buyer_email_locked, metadata, line_items, order_id, created_at, expires_at, currency,
         subtotal_minor_units, discount_minor_units, shipping_minor_units, tax_minor_units, total_minor_units)
       select 'chk_many' || i, $1, 'https://s.example/', '', '', false, '{}', '[]', 'ord_' || i, now(), now(),
         'EUR', 0, 0, 0, 0, 0 from generate_series(1, 5000) i`,
      [account],
    );

    await test.query('analyze checkout');

    const plan = await test.query<{ 'QUERY PLAN': string }>(
      `explain select id from checkout where order_id is null and expired_at is null
         and expires_at <= now() order by expires_at limit 100`,
    );

    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).to.include('checkout_expiring').and.not.to.include('Sort');
  });

  it('one poll of a worker expires any number of checkouts', async () => {
    const ids = await Promise.all(Array.from({ length: expiryBatchSize + 5 }, () => open(-1)));
    const issues: unknown[] = [];
    let noted = 0;
    const expiry = new CheckoutExpiry({
      read: database.read,
      transact: database.transact,
      onExpired: (count) => (noted += count),
      onError: (error) => issues.push(error),
    });

    await expiry.poll();
    await expiry.stop();
    expect(noted).to.equal(ids.length);
    expect((await publishedEvents()).sort()).to.deep.equal(ids.sort());
    expect(issues).to.deep.equal([]);
  });
});
