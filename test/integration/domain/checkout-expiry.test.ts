import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { createAccount } from '../../../src/domain/account/accounts.js';
import {
  createCheckout,
  getCheckout,
  expireCheckouts,
  expiryBatchSize,
} from '../../../src/domain/checkout/checkouts.js';
import { recordPayment } from '../../../src/domain/payment/record-payment.js';
import type { Wakeup } from '../../../src/domain/wakeup.js';
import { CheckoutExpiry } from '../../../workers/checkout-expiry.js';
import { expireIn } from '../../support/sales.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { checkEvent } from '../../support/contract.js';

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

  it('are published once, and only expired ones that were not paid', async () => {
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

  it('publish what their schema describes, and schedule a wake-up at their expiry', async () => {
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

  it('are published once when several workers poll at the same moment', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => open(-1)));
    const found = await Promise.all([expire(), expire(), expire(), expire()]);
    const left = await expire();
    expect(found.reduce((sum, count) => sum + count, left)).to.equal(40);
    expect((await publishedEvents()).sort()).to.deep.equal(ids.sort());
  });

  it('leave no event behind when the transaction does not commit', async () => {
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

  it('are skipped while a payment runs, and expired when it fails', async () => {
    const id = await open(-1);
    const held = await test.hold(`select from checkout where id = '${id}' for no key update`);
    expect(await expire()).to.equal(0);
    await held.release();
    expect(await expire()).to.equal(1);
  });

  it('may still be completed by a payment that began before', async () => {
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

  it('are found through an index of those that are open', async () => {
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

  it('are expired by one poll of a worker, in any number', async () => {
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
