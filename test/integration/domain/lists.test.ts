import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { createAccount } from '../../../src/domain/account/accounts.js';
import { createCheckout } from '../../../src/domain/checkout/checkouts.js';
import { recordPayment } from '../../../src/domain/payment/record-payment.js';
import { listPayments, type PaymentFilter } from '../../../src/domain/commerce/payments.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { costOf } from '../../support/statement-cost.js';

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

  it('costs on its last page and in its middle what it costs on its first', async () => {
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

  it('costs the same within a range of creation, wherever that lies and however long it is', async () => {
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

  it('reads of a buyer or a range of bookings what matches, and not the whole list', async () => {
    const buyer = await pageCost(4, { buyerEmail: 'B7@example.com' });
    expect(buyer.page.pagination).to.include({ totalCount: 100, currentPage: 4 });
    // Counted, gathered and put in order.
    expect(buyer.rows).to.be.at.most(3 * 100 + 25 + 2);
    const [newest] = (await pageCost(1)).page.data;
    const within = newest!.createdAt.getTime() - 30 * 86_400_000;
    const day = new Date(within).toISOString().slice(0, 10);
    const booked = await pageCost(1, { cashFlowFrom: day, cashFlowTo: day });
    const { totalCount } = booked.page.pagination;
    expect(totalCount).to.equal(1_296);
    expect(booked.rows).to.be.at.most(3 * totalCount + 25 + 2);
  });
});
