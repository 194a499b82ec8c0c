import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { partitionsSince } from '../../../src/database/partitions.js';
import { createAccount } from '../../../src/domain/account/accounts.js';
import { createCheckout } from '../../../src/domain/checkout/checkouts.js';
import { recordPayment } from '../../../src/domain/payment/record-payment.js';
import {
  listEntries,
  type NumberedPage,
  type NumberedRequest,
} from '../../../src/domain/commerce/entry-list.js';
import { invoices } from '../../../src/domain/payment/invoices.js';
import { orders } from '../../../src/domain/payment/orders.js';
import { listPayments } from '../../../src/domain/payment/payments.js';
import { refundPayment, refunds } from '../../../src/domain/payment/refunds.js';
import type { DomainError } from '../../../src/domain/errors.js';
import { createOffer } from '../../../src/domain/offer/offers.js';
import type { Read } from '../../../src/domain/transaction/tx.js';
import { type FillOptions, fillAccount } from '../../../tools/seed/fill-account.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { costOf } from '../../support/statements.js';

const perPage = 10;

describe('an account that is filled', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
    account = await shop();
  });

  after(() => test.drop());

  const shop = async () =>
    (await database.transact((tx) => createAccount(tx, { name: 'Shop' }))).id;

  async function fill(changes: Partial<FillOptions>) {
    const { read, transact } = database;
    const since = await partitionsSince(read);
    return fillAccount({ read, transact, since }, { account, orders: 0, seed: 1, ...changes });
  }

  const count = async (table: string, of = account) => {
    const [row] = await test.query<{ count: string }>(
      `select count(*) from "${table}" where account_id = $1`,
      [of],
    );
    return Number(row?.count);
  };

  it('keeps whole batches when it is interrupted, and continues from there', async () => {
    const stop = new AbortController();
    const first = await fill({
      orders: 2_200,
      signal: stop.signal,
      progress: (orders) => orders >= 1_000 && stop.abort(),
    });

    expect(first).to.include({ orders: 1_000, complete: false });
    expect(await count('order')).to.equal(1_000);
    expect(await count('payment')).to.equal(1_000);

    const endpoints = await count('endpoint');

    const seen: number[] = [];
    const second = await fill({ orders: 2_200, progress: (orders) => void seen.push(orders) });
    expect(second).to.include({ orders: 2_200, complete: true });
    expect(second.made.orders).to.equal(1_200);
    expect(seen).to.deep.equal([1_500, 2_000, 2_200]);
    expect(await count('endpoint'))
      .to.equal(endpoints)
      .and.to.equal(3);

    const third = await fill({ orders: 2_200 });
    expect(third).to.deep.include({ orders: 2_200, complete: true });
    expect(third.made.orders).to.equal(0);
  });

  it('a filled account has as many open, completed and expired checkouts as it reports', async () => {
    const shopAccount = await shop();
    const { made } = await fill({ account: shopAccount, orders: 300 });
    for (const [rows, number] of Object.entries(made)) {
      const table = rows === 'deliveries' ? 'delivery' : rows.slice(0, -1);
      expect(await count(table, shopAccount), rows)
        .to.equal(number)
        .and.to.be.above(0);
    }

    const states = await test.query<{ state: string }>(
      `select distinct case when order_id is not null then 'completed'
                            when expires_at <= now() then 'expired' else 'open' end as state
         from checkout where account_id = $1 order by 1`,
      [shopAccount],
    );

    expect(states.map(({ state }) => state)).to.deep.equal(['completed', 'expired', 'open']);

    const [odd] = await test.query(
      `select from checkout where account_id = $1 and order_id is null
                              and (expires_at <= now()) <> (expired_at is not null)`,
      [shopAccount],
    );

    expect(odd, 'a checkout whose expiry would be told of again').to.equal(undefined);
    expect(await count('pending_delivery', shopAccount), 'nothing is to be sent').to.equal(0);
    expect(await count('notice', shopAccount), 'no mail is owed').to.equal(0);
  });

  it('continues like a real shop: its next order and refund follow in its ledger', async () => {
    const paid = await database.transact(async (tx) => {
      const { id } = await createCheckout(tx, account, {
        successUrl: 'https://shop.example/thanks',
        currency: 'EUR',
        lineItems: [{ name: 'Mug', quantity: 1, unitAmountMinorUnits: 1_450 }],
      });
      return recordPayment(tx, account, { checkout: id, buyerEmail: 'buyer@example.com' });
    });

    expect(paid.order.position).to.equal(2_201);
    expect(paid.invoice.number).to.equal('INV-002201');

    const { data } = await listPayments(database.read, account, { page: 1, perPage: 100 }, {});
    const seeded = data.find(
      ({ status }) => status === 'partially_refunded' || status === 'succeeded',
    );
    const { refund } = await database.transact((tx) => refundPayment(tx, account, seeded!.id, {}));
    expect(refund.position).to.be.above(100);
  });

  it('the next offer of a filled account follows those that it has', async () => {
    const before = await count('offer');
    const offer = await database.transact((tx) =>
      createOffer(tx, account, {
        recipientEmail: 'ada@example.com',
        title: 'Beans',
        currency: 'EUR',
        lineItems: [{ name: 'Beans', quantity: 1, unitAmountMinorUnits: 1_450 }],
      }),
    );

    const [row] = await test.query<{ position: number }>(
      'select position from offer where id = $1',
      [offer.id],
    );
    expect(row?.position).to.equal(before + 1);
  });

  it('refuses an account whose orders leave no time for a history', async () => {
    const refused = await fill({ orders: 100_000 }).catch((error: unknown) => error);
    expect((refused as DomainError).code).to.equal('state_conflict');
    expect(await count('order')).to.equal(2_201);
    const foreign = await fill({ account: 'acc_none', orders: 1 }).catch((error: unknown) => error);
    expect((foreign as DomainError).code).to.equal('not_found');
  });

  type List = (read: Read, of: string, page: NumberedRequest) => Promise<NumberedPage<object>>;

  const lists: Readonly<Record<string, List>> = {
    orders: (read, of, page) => listEntries(read, of, orders, page),
    payments: (read, of, page) => listPayments(read, of, page, {}),
    invoices: (read, of, page) => listEntries(read, of, invoices, page),
    refunds: (read, of, page) => listEntries(read, of, refunds, page),
  };
  for (const [name, list] of Object.entries(lists)) {
    it(`lists ${name} at the same cost on the first page and the last`, async () => {
      await test.query('vacuum analyze "order", payment, invoice, refund');
      const page = (number: number) => list(database.read, account, { page: number, perPage });
      const { pagination } = await page(1);
      expect(pagination.totalPages).to.be.above(10);
      const { data } = await page(pagination.totalPages - 1);
      expect(data).to.have.lengthOf(perPage);
      const first = await costOf(test, () => page(1));
      const last = await costOf(test, () => page(pagination.totalPages - 1));
      expect(last.statements).to.equal(first.statements).and.to.equal(2);
      expect(last.rows).to.be.at.most(first.rows);
      expect(last.blocks).to.be.at.most(first.blocks + 4);
    });
  }
});

describe('an account that sold something before it is filled', () => {
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
  });

  after(() => test.drop());

  const shop = async () =>
    (await database.transact((tx) => createAccount(tx, { name: 'Shop' }))).id;

  async function fill(options: Omit<FillOptions, 'seed'>) {
    const { read, transact } = database;
    const since = await partitionsSince(read);
    return fillAccount({ read, transact, since }, { seed: 1, ...options });
  }

  const pay = (of: string) =>
    database.transact(async (tx) => {
      const { id } = await createCheckout(tx, of, {
        successUrl: 'https://shop.example/thanks',
        currency: 'EUR',
        lineItems: [{ name: 'Mug', quantity: 1, unitAmountMinorUnits: 1_450 }],
      });
      return recordPayment(tx, of, { checkout: id, buyerEmail: 'buyer@example.com' });
    });

  /** The ledger of an account must have positions without gaps, in the order of time. */
  async function expectLedger(of: string): Promise<void> {
    for (const table of ['order', 'payment', 'refund', 'invoice', 'offer']) {
      const [row] = await test.query<{ rows: number; last: number; ordered: boolean }>(
        `select count(*)::int as rows, coalesce(max(position), 0)::int as last,
                coalesce(bool_and(t.created_at >= t.before), true) as ordered
           from (select position, created_at,
                        lag(created_at) over (order by position) as before
                   from "${table}" where account_id = $1) t`,
        [of],
      );
      expect(row?.last, table).to.equal(row?.rows);
      expect(row?.ordered, table).to.equal(true);
    }
  }

  it('refuses an account with more orders than a trial has, and changes nothing', async () => {
    const shopAccount = await shop();
    for (let sold = 0; sold < 11; sold += 1) await pay(shopAccount);
    const refused = await fill({ account: shopAccount, orders: 500 }).catch(
      (error: unknown) => error,
    );
    expect(refused).to.include({ code: 'state_conflict' });
    expect((refused as Error).message).to.include('11 orders already');
    const [row] = await test.query<{ count: number }>(
      'select count(*)::int as count from "order" where account_id = $1',
      [shopAccount],
    );
    expect(row?.count).to.equal(11);
  });

  it('keeps what was just sold as its latest, under the same numbers', async () => {
    const shopAccount = await shop();
    const first = await pay(shopAccount);
    await database.transact((tx) => refundPayment(tx, shopAccount, first.payment.id, {}));

    await database.transact((tx) =>
      createOffer(tx, shopAccount, {
        recipientEmail: 'ada@example.com',
        title: 'Beans',
        currency: 'EUR',
        lineItems: [{ name: 'Beans', quantity: 1, unitAmountMinorUnits: 1_450 }],
      }),
    );

    const stop = new AbortController();
    const half = await fill({
      account: shopAccount,
      orders: 1_100,
      signal: stop.signal,
      progress: () => stop.abort(),
    });

    expect(half).to.include({ orders: 501, complete: false });
    await expectLedger(shopAccount);

    const second = await pay(shopAccount);
    const whole = await fill({ account: shopAccount, orders: 1_100 });
    expect(whole).to.include({ orders: 1_100, complete: true });
    await expectLedger(shopAccount);

    const latest = await test.query<{ id: string; position: number }>(
      'select id, position from "order" where account_id = $1 order by position desc limit 2',
      [shopAccount],
    );

    expect(latest).to.deep.equal([
      { id: second.order.id, position: 1_100 },
      { id: first.order.id, position: 1_099 },
    ]);

    const [invoice] = await test.query<{ number: string }>(
      'select number from invoice where id = $1',
      [first.invoice.id],
    );

    expect(invoice?.number).to.equal('INV-000001');
    expect((await pay(shopAccount)).order.position).to.equal(1_101);

    const [span] = await test.query<{ days: number }>(
      `select extract(day from max(created_at) - min(created_at))::int as days
         from "order" where account_id = $1`,
      [shopAccount],
    );
    expect(span?.days).to.be.above(175);
  });

  it('a filled account has statistics and evidence of everything that its endpoints received', async () => {
    const shopAccount = await shop();
    await fill({ account: shopAccount, orders: 300 });

    const of = 'select id from delivery where account_id = $1';
    const [counted] = await test.query(
      `select sum(success)::int as success, sum(failed)::int as failed,
              sum(abandoned)::int as abandoned, sum(retries)::int as retries
         from delivery_statistics where account_id = $1 and endpoint_id = ''`,
      [shopAccount],
    );

    const [recorded] = await test.query(
      `select count(*) filter (where status = 'success')::int as success,
              count(*) filter (where status = 'failed')::int as failed,
              count(*) filter (where status = 'abandoned')::int as abandoned,
              count(*) filter (where attempt > 1)::int as retries
         from delivery where account_id = $1`,
      [shopAccount],
    );

    expect(counted).to.deep.equal(recorded);

    const [lacking] = await test.query(
      `${of} and status <> 'success'
          and not exists (select from delivery_evidence v where v.delivery_id = delivery.id)`,
      [shopAccount],
    );
    expect(lacking, 'a failure without evidence').to.equal(undefined);
  });
});
