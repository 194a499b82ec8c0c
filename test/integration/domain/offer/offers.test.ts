import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { createAccount } from '../../../../src/domain/account/accounts.js';
import { getEntry, listEntries } from '../../../../src/domain/commerce/entry-list.js';
import { recordPayment } from '../../../../src/domain/payment/record-payment.js';
import { DomainError } from '../../../../src/domain/errors.js';
import { openOfferCheckout } from '../../../../src/domain/offer/hosted-offer.js';
import { createOffer, offers } from '../../../../src/domain/offer/offers.js';
import { cancelOffer, sendOffer } from '../../../../src/domain/offer/change-offer.js';
import type { Tx } from '../../../../src/domain/transaction/tx.js';
import { expireIn } from '../../../support/sales.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { checkEvent } from '../../../support/contract.js';
import { eventually } from '../../../support/eventually.js';

interface Sent {
  readonly offer: string;
  readonly checkout: string;
}

describe('offers', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ pool: 10 });
  });

  after(() => test.drop());
  beforeEach(async () => {
    account = (await database.transact((tx) => createAccount(tx, { name: 'Shop' }))).id;
  });

  const draft = async () => {
    const input = {
      recipientEmail: 'buyer@example.com',
      title: 'Tea',
      currency: 'EUR',
      lineItems: [{ name: 'Tea', quantity: 1, unitAmountMinorUnits: 300 }],
    };
    return (await database.transact((tx) => createOffer(tx, account, input))).id;
  };

  const open = async (offer: string) =>
    (await database.transact((tx) => openOfferCheckout(tx, offer))).split('/').at(-1) ?? '';
  const sent = async (): Promise<Sent> => {
    const offer = await draft();
    await database.transact((tx) => sendOffer(tx, account, offer));
    return { offer, checkout: await open(offer) };
  };

  const pay =
    ({ checkout }: Sent) =>
    (tx: Tx) =>
      recordPayment(tx, account, { checkout });

  const cancel =
    ({ offer }: Sent) =>
    (tx: Tx) =>
      cancelOffer(tx, account, offer);

  const refusalOf = (done: Promise<unknown>) =>
    done.then(
      () => 'done',
      (error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
        return [error.code, ...error.errors.map(({ code }) => code)].join(' ');
      },
    );

  const statusOf = async (offer: string) =>
    (await getEntry(database.read, account, offers, offer)).status;

  /** The types of the events about offers, each event checked against its schema. */
  const publishedEvents = async () => {
    const rows = await test.query<{ type: string; body: Buffer }>(
      `select type, body from event where account_id = $1 and type like 'offer.%' order by id`,
      [account],
    );
    for (const { body } of rows) checkEvent(body);
    return rows.map(({ type }) => type);
  };

  /** Begins `second` while `first` is done but not committed, and sees it wait for that. */
  const inOrder = async (
    first: (tx: Tx) => Promise<unknown>,
    second: (tx: Tx) => Promise<unknown>,
  ) => {
    let later: Promise<string> | undefined;
    await database.transact(async (tx) => {
      await first(tx);
      later = refusalOf(database.transact(second));
      await eventually(async () => {
        const waiting = await test.query(
          `select from pg_stat_activity where wait_event_type = 'Lock'
              and datname = current_database() and query like '%from offer where id%for no key%'`,
        );
        expect(waiting).to.have.length(1);
      }, 'the second waits for the first');
    });

    return later;
  };

  it('a payment in progress accepts its offer, and cancelling meanwhile is refused', async () => {
    const one = await sent();
    expect(await inOrder(pay(one), cancel(one))).to.equal(
      'offer_state_conflict offer_state_conflict',
    );
    expect(await statusOf(one.offer)).to.equal('accepted');
    expect(await publishedEvents()).to.deep.equal([
      'offer.created',
      'offer.sent',
      'offer.accepted',
    ]);
  });

  it('a cancellation in progress wins over a payment, which then creates nothing', async () => {
    const one = await sent();
    expect(await inOrder(cancel(one), pay(one))).to.equal('checkout_not_payable offer_closed');
    expect(await statusOf(one.offer)).to.equal('cancelled');
    expect(await publishedEvents()).to.deep.equal([
      'offer.created',
      'offer.sent',
      'offer.cancelled',
    ]);
    expect(await test.query('select from "order" where account_id = $1', [account])).to.have.length(
      0,
    );
  });

  it('an offer is either accepted or cancelled, and one event says which', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, sent));
    const ends = await Promise.all(
      all.map(async (one, index) => {
        const both: ((tx: Tx) => Promise<unknown>)[] = [pay(one), cancel(one)];
        if (index % 2) both.reverse();
        return Promise.all(both.map((step) => refusalOf(database.transact(step))));
      }),
    );

    for (const end of ends) expect(end.filter((one) => one === 'done')).to.have.length(1);

    const types = await publishedEvents();
    const count = (type: string) => types.filter((published) => published === type).length;
    expect(count('offer.accepted') + count('offer.cancelled')).to.equal(12);

    const orders = await test.query('select from "order" where account_id = $1', [account]);
    expect(orders).to.have.length(count('offer.accepted'));
  });

  it('only one checkout accepts an offer, even with two payments in flight at once', async () => {
    const first = await sent();
    const startedAt = new Date();

    await expireIn(test, first.checkout, 0);

    const second = { ...first, checkout: await open(first.offer) };
    expect(second.checkout).not.to.equal(first.checkout);

    const late = (tx: Tx) =>
      recordPayment(tx, account, {
        checkout: first.checkout,
        startedAt: new Date(startedAt.getTime() - 60_000),
      });

    const ends = await Promise.all(
      [late, pay(second)].map((step) => refusalOf(database.transact(step))),
    );
    expect(ends.sort()).to.deep.equal(['checkout_not_payable offer_closed', 'done']);

    expect(await publishedEvents()).to.deep.equal([
      'offer.created',
      'offer.sent',
      'offer.accepted',
    ]);
  });

  it('a payment that began before the expiry accepts an offer, a later one does not', async () => {
    const one = await sent();
    await expireIn(test, one.checkout, 20 * 60_000);

    const [row] = await test.query<{ end: Date }>(
      `update offer set expires_at = now() - interval '5 minutes' where id = $1
       returning expires_at as "end"`,
      [one.offer],
    );

    const end = row?.end.getTime() ?? 0;
    const startedAt = (ms: number) =>
      refusalOf(
        database.transact((tx) =>
          recordPayment(tx, account, { checkout: one.checkout, startedAt: new Date(ms) }),
        ),
      );

    expect(await startedAt(end)).to.equal('checkout_not_payable offer_closed');
    expect(await refusalOf(database.transact(pay(one)))).to.equal(
      'checkout_not_payable offer_closed',
    );
    expect(await statusOf(one.offer)).to.equal('expired');
    expect(await startedAt(end - 1)).to.equal('done');
    expect(await statusOf(one.offer)).to.equal('accepted');

    expect(await publishedEvents()).to.deep.equal([
      'offer.created',
      'offer.sent',
      'offer.accepted',
    ]);
  });

  it('an offer cannot name an order that does not exist or that another offer names', async () => {
    const one = await sent();
    const two = await sent();
    const { order } = await database.transact(pay(one));
    const accept = (id: string) =>
      test
        .query('update offer set accepted_at = now(), order_id = $2 where id = $1', [two.offer, id])
        .then(
          () => 'done',
          (error: unknown) => (error as { constraint?: string }).constraint,
        );

    expect(await accept('ord_1')).to.equal('offer_order_id_fkey');
    expect(await accept(order.id)).to.equal('offer_order_id_key');
    expect(await statusOf(two.offer)).to.equal('sent');
  });

  it('an offer stays as it was when its payment is refused', async () => {
    const { offer, checkout } = await sent();
    const other = (tx: Tx) => recordPayment(tx, account, { checkout, buyerEmail: 'x@example.com' });
    expect(await refusalOf(database.transact(other))).to.equal('validation_failed invalid_value');
    expect(await statusOf(offer)).to.equal('sent');
    expect(await publishedEvents()).to.deep.equal(['offer.created', 'offer.sent']);
  });

  it('an offer cannot be counted as sent more than ten times', async () => {
    const { offer } = await sent();
    const count = (times: number) =>
      test.query('update offer set send_count = $2 where id = $1', [offer, times]);
    await count(10);
    const refused = await count(11).catch((error: unknown) => error);
    expect(refused).to.include({ code: '23514', constraint: 'offer_sent_check' });
  });

  it('recording the payment of an offer again under its key is the same payment', async () => {
    const { offer, checkout } = await sent();
    const record = () =>
      database.transact((tx) => recordPayment(tx, account, { checkout, key: 'payment-1' }));
    const { order } = await record();
    expect((await record()).order.id).to.equal(order.id);
    expect(await getEntry(database.read, account, offers, offer)).to.include({ order: order.id });
    expect(await publishedEvents()).to.deep.equal([
      'offer.created',
      'offer.sent',
      'offer.accepted',
    ]);
  });

  it('lists offers by page, newest first, however many were made at once', async () => {
    const ids = await Promise.all(Array.from({ length: 7 }, draft));
    const page = (number: number) =>
      listEntries(database.read, account, offers, { page: number, perPage: 3 });
    const pages = await Promise.all([1, 2, 3].map(page));
    const listed = pages.flatMap(({ data }) => data.map(({ id }) => id));
    expect(listed).to.have.members(ids);
    expect(listed).to.deep.equal([...listed].sort().reverse());
    expect((await page(9)).pagination).to.include({ currentPage: 3, totalPages: 3, totalCount: 7 });
  });
});
