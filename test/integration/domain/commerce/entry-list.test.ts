import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { createAccount } from '../../../../src/domain/account/accounts.js';
import { createCheckout } from '../../../../src/domain/checkout/checkouts.js';
import { recordPayment } from '../../../../src/domain/payment/record-payment.js';
import {
  type EntryFilter,
  searchEntries,
  listPayments,
  type PaymentFilter,
} from '../../../../src/domain/payment/payments.js';
import { invoices } from '../../../../src/domain/payment/invoices.js';
import { orders } from '../../../../src/domain/payment/orders.js';
import { refunds } from '../../../../src/domain/payment/refunds.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { costOf } from '../../../support/statements.js';

const payments = 100_000;

describe('a list of 100,000 payments', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
    account = (await database.transact((tx) => createAccount(tx, { name: 'Shop' }))).id;

    const { order } = await database.transact(async (tx) => {
      const { id } = await createCheckout(tx, account, {
        successUrl: 'https://shop.example/thanks',
        currency: 'EUR',
        lineItems: [{ name: 'x', quantity: 1, unitAmountMinorUnits: 500 }],
      });
      return recordPayment(tx, account, { checkout: id, buyerEmail: 'buyer@example.com' });
    });

    await test.query(
      `insert into payment (id, account_id, position, order_id, status, currency,
         amount_minor_units, net_minor_units, method, buyer_email, created_at, cash_flow_at)
       select 'pay_' || lpad(n::text, 24, '0'), $1, n, $2, 'succeeded', 'EUR', 500, 500, 'card',
              'b' || n % 1000 || '@example.com', t.at,
              case when n % 10 = 0 then null else t.at + interval '7 days' end
         from generate_series(2, $3) n,
              lateral (select now() + n * interval '1 minute' as at) t`,
      [account, order.id, payments],
    );

    await test.query('vacuum analyze payment');
  });

  after(() => test.drop());

  async function pageCost(page: number, filter: PaymentFilter = {}) {
    const ask = () => listPayments(database.read, account, { page, perPage: 25 }, filter);
    return { ...(await costOf(test, ask)), page: await ask() };
  }

  it('the last page of a long list costs as much as the first and the middle one', async () => {
    const first = await pageCost(1);
    expect(first.page.pagination).to.include({ totalPages: 4_000, totalCount: payments });
    for (const number of [2_000, 4_000, 1_000_000]) {
      const other = await pageCost(number);
      expect(other.page.data, `page ${number}`).to.have.lengthOf(25);
      expect(other.statements).to.equal(2);
      expect(other.rows, `rows of page ${number}`).to.be.at.most(first.rows);
      expect(other.blocks, `blocks of page ${number}`).to.be.at.most(first.blocks + 3);
    }
    expect(first.statements).to.equal(2);
    expect(first.rows).to.be.at.most(26);
  });

  it('a page within a range of dates costs the same, wherever the range lies and however long it is', async () => {
    const whole = await pageCost(1);
    const [old] = (await pageCost(4_000)).page.data;
    for (const createdFrom of ['2000-01-01', old!.createdAt.toISOString()]) {
      const { totalPages } = (await pageCost(1, { createdFrom })).page.pagination;
      for (const number of [1, totalPages]) {
        const { statements, rows, blocks } = await pageCost(number, { createdFrom });
        expect(statements).to.equal(2);
        expect(rows).to.be.at.most(28);
        expect(blocks).to.be.at.most(whole.blocks + 12);
      }
    }
  });

  it('a filter by buyer or by booking reads what matches, not the whole list', async () => {
    const buyer = await pageCost(4, { buyerEmail: 'B7@example.com' });
    expect(buyer.page.pagination).to.include({ totalCount: 100, currentPage: 4 });
    // Counted, gathered and put in order; those of the page are looked up by position, then by id.
    expect(buyer.rows).to.be.at.most(3 * 100 + 2 * 25 + 2);
    const [newest] = (await pageCost(1)).page.data;
    const within = newest!.createdAt.getTime() - 30 * 86_400_000;
    const day = new Date(within).toISOString().slice(0, 10);
    const booked = await pageCost(1, { cashFlowFrom: day, cashFlowTo: day });
    const { totalCount } = booked.page.pagination;
    expect(totalCount).to.equal(1_296);
    expect(booked.rows).to.be.at.most(3 * totalCount + 2 * 25 + 2);
  });
});

describe('lists of 10,000 orders, with a refund of every second', () => {
  const sales = 10_000;
  let test: TestDatabase;
  let database: Database;
  let account: string;

  /** When the sale with this position was made. */
  const madeAt = (position: number) => new Date(Date.UTC(2026, 0, 1, 0, position)).toISOString();

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
    account = (await database.transact((tx) => createAccount(tx, { name: 'Shop' }))).id;

    const totals = `'EUR', 500, 0, 0, 0, 500`;
    const totalsColumns = `currency, subtotal_minor_units, discount_minor_units, shipping_minor_units,
      tax_minor_units, total_minor_units`;
    const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 24, '0')`;
    const email = `'b' || n % 500 || '@example.com'`;
    const buyer = `json_build_object('email', ${email})`;
    const at = `timestamptz '2026-01-01 00:00Z' + n * interval '1 minute'`;
    const series = `from generate_series(1, ${sales}) n`;
    const refunded = `from generate_series(2, ${sales}, 2) n`;
    const fill = (table: string, columns: string, values: string, rows: string) =>
      test.query(`insert into "${table}" (${columns}) select ${values} ${rows}`, [account]);
    await fill(
      'order',
      `id, account_id, position, external_reference, buyer, metadata, line_items, created_at, completed_at,
        ${totalsColumns}`,
      `${id('ord')}, $1, n, '', ${buyer}, '{}', '[]', ${at}, ${at}, ${totals}`,
      series,
    );

    await fill(
      'payment',
      `id, account_id, position, order_id, status, currency, amount_minor_units, refunded_minor_units,
        net_minor_units, method, buyer_email, created_at`,
      `${id('pay')}, $1, n, ${id('ord')}, case n % 2 when 0 then 'refunded' else 'succeeded' end, 'EUR', 500,
        case n % 2 when 0 then 500 else 0 end, 500, 'card', ${email}, ${at}`,
      series,
    );

    await fill(
      'refund',
      `id, account_id, position, payment_id, order_id, status, currency, amount_minor_units, created_at`,
      `${id('rfd')}, $1, n / 2, ${id('pay')}, ${id('ord')}, 'succeeded', 'EUR', 500, ${at}`,
      refunded,
    );

    const invoiceColumns = `id, account_id, position, number, type, order_id, payment_id, refund_id, buyer,
      issued_at, created_at, ${totalsColumns}`;
    await fill(
      'invoice',
      invoiceColumns,
      `${id('inv')}, $1, n, 'INV-' || lpad(n::text, 6, '0'), 'invoice', ${id('ord')}, ${id('pay')}, null,
        ${buyer}, ${at}, ${at}, ${totals}`,
      series,
    );

    await fill(
      'invoice',
      invoiceColumns,
      `${id('inv_c')}, $1, ${sales} + n / 2, 'CN-' || lpad((n / 2)::text, 6, '0'), 'credit_note', ${id('ord')},
        ${id('pay')}, ${id('rfd')}, ${buyer}, ${at} + interval '20 days', ${at} + interval '20 days', ${totals}`,
      refunded,
    );

    await test.query('vacuum analyze "order", payment, refund, invoice');
  });

  after(() => test.drop());

  const lists = {
    orders: (filter: EntryFilter, page: number) =>
      searchEntries(database.read, account, orders, { page, perPage: 25 }, filter),
    refunds: (filter: EntryFilter, page: number) =>
      searchEntries(database.read, account, refunds, { page, perPage: 25 }, filter),
    invoices: (filter: EntryFilter, page: number) =>
      searchEntries(database.read, account, invoices, { page, perPage: 25 }, filter),
  };

  /** How many entries each list has of a buyer, of an invoice and of a credit note. */
  const counts = {
    orders: { all: sales, ofBuyer: 20, ofInvoice: 1, ofCreditNote: 1 },
    refunds: { all: sales / 2, ofBuyer: 20, ofInvoice: 1, ofCreditNote: 1 },
    invoices: { all: 1.5 * sales, ofBuyer: 40, ofInvoice: 1, ofCreditNote: 1 },
  };

  for (const [name, list] of Object.entries(lists)) {
    const { all, ofBuyer, ofInvoice, ofCreditNote } = counts[name as keyof typeof counts];

    async function costOfPage(filter: EntryFilter, page = 1) {
      const cost = await costOf(test, () => list(filter, page));
      return { ...cost, page: await list(filter, page) };
    }

    it(`finds ${name} of a range of dates at the same cost, however long it is`, async () => {
      for (const createdFrom of ['2000-01-01', madeAt(sales - 100)]) {
        const first = await costOfPage({ createdFrom, createdTo: '2099-01-01' });
        const { totalCount, totalPages } = first.page.pagination;
        expect(totalCount).to.be.within(50, all);

        const last = await costOfPage({ createdFrom }, totalPages);
        for (const { statements, rows, blocks } of [first, last]) {
          expect(statements).to.equal(2);
          expect(rows).to.be.at.most(28);
          expect(blocks).to.be.at.most(80);
        }
      }

      const none = await costOfPage({ createdTo: '2001-01-01' });
      expect(none.page.data).to.have.lengthOf(0);
      expect(none.page.pagination.totalCount).to.equal(0);
    });

    it(`finds ${name} of a buyer by that buyer's payments alone`, async () => {
      const found = await costOfPage({ buyerEmail: 'B8@example.com' });
      expect(found.page.pagination.totalCount).to.equal(ofBuyer);
      // Twice the buyer's payments and what belongs to them, then the rows of the page.
      expect(found.rows).to.be.at.most(2 * (20 + 2 * ofBuyer) + ofBuyer + 30);
      const some = await list({ buyerEmail: 'b8@example.com', createdTo: madeAt(sales / 2) }, 1);
      expect(some.pagination.totalCount).to.be.within(1, ofBuyer - 1);
    });

    it(`finds ${name} by the number of an invoice or a credit note`, async () => {
      for (const [number, count] of [
        ['INV-000008', ofInvoice],
        ['cn-000004', ofCreditNote],
      ] as const) {
        const found = await costOfPage({ number });
        expect(found.page.pagination.totalCount, number).to.equal(count);
        expect(found.rows, number).to.be.at.most(20);
      }

      for (const filter of [
        { number: 'INV-000008', buyerEmail: 'b7@example.com' },
        { number: 'INV-000008', createdFrom: '2099-01-01' },
        { number: 'INV-000008 ' },
        { number: 'INV-00000%' },
      ]) {
        expect((await list(filter, 1)).data, JSON.stringify(filter)).to.have.lengthOf(0);
      }

      const both = await list({ number: 'INV-000008', buyerEmail: 'b8@example.com' }, 1);
      expect(both.data).to.have.lengthOf(1);
    });
  }
});
