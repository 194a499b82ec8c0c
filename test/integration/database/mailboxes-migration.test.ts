import { expect } from 'chai';
import type { QueryRunner } from 'typeorm';
import type { Database } from '../../../src/database/database.js';
import { createDataSource } from '../../../src/database/data-source.js';
import { Mailboxes1795500000000 } from '../../../src/database/migrations/0031-mailboxes.js';
import { createCheckout } from '../../../src/domain/checkout/checkouts.js';
import { listPayments } from '../../../src/domain/payment/payments.js';
import { fillMailboxes } from '../../../src/domain/fill-mailboxes.js';
import { recordPayment } from '../../../src/domain/payment/record-payment.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { insertAccount } from '../../support/engine.js';
import { enqueueNoticesFor } from '../../support/notices.js';
import { SignIn } from '../../support/sign-in.js';

const spelled = 'Kim@m\u00fcnchen.example';
const form = 'kim@xn--mnchen-3ya.example';

describe('the migration that stores the form of addresses', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;
  const migration = new Mailboxes1795500000000();

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
    account = await insertAccount(test);
  });

  after(() => test.drop());

  async function withRunner(work: (runner: QueryRunner) => Promise<void>): Promise<void> {
    const source = createDataSource({ url: test.url, pool: 1, applicationName: 'signalpost-test' });
    await source.initialize();
    const runner = source.createQueryRunner();
    try {
      await work(runner);
    } finally {
      await runner.release();
      await source.destroy();
    }
  }

  /** As a process of the release before does, which does not know the column. */
  const insertMember = (id: string, email: string) =>
    test.query(
      `insert into member (id, account_id, email, role, created_at)
       values ($1, $2, $3, 'owner', now())`,
      [id, account, email],
    );

  const pay = async (buyerEmail: string) => {
    const { id: checkout } = await database.transact((tx) =>
      createCheckout(tx, account, {
        successUrl: 'https://shop.example/thanks',
        currency: 'EUR',
        lineItems: [{ name: 'Pen', quantity: 1, unitAmountMinorUnits: 100 }],
      }),
    );
    return database.transact((tx) => recordPayment(tx, account, { checkout, buyerEmail }));
  };

  const formsOf = async (table: string, address: string) =>
    Object.fromEntries(
      (
        await test.query<{ address: string; mailbox: string | null }>(
          `select ${address} as address, mailbox from ${table}`,
        )
      ).map((row) => [row.address, row.mailbox]),
    );

  it('H275: stores the form of those that have letters outside ASCII, and can be repeated', async () => {
    await pay(spelled);
    await pay('kim@shop.example');
    await enqueueNoticesFor(database, account, spelled, 'ops@shop.example');
    await withRunner((runner) => migration.down(runner));
    await insertMember('mem_1', spelled);
    await insertMember('mem_2', 'Kim@xn--mnchen-3ya.example');
    await insertMember('mem_3', 'M\u00fcLLER@shop.example');

    await withRunner(async (runner) => {
      await migration.up(runner);
      await migration.up(runner);
    });

    expect(await formsOf('member', 'email')).to.deep.equal({
      [spelled]: form,
      'Kim@xn--mnchen-3ya.example': null,
      'M\u00fcLLER@shop.example': 'm\u00fcller@shop.example',
    });

    expect(await formsOf('payment', 'buyer_email')).to.deep.equal({
      [spelled]: form,
      'kim@shop.example': null,
    });

    expect(await formsOf('notice', 'recipient')).to.deep.equal({
      [spelled]: form,
      'ops@shop.example': null,
    });
  });

  it('H275: members that became one keep what they have, and both are mailed', async () => {
    const sign = new SignIn(test, database);
    await test.query('truncate notice');
    await sign.request(form);
    expect(await sign.mails()).to.have.length(2);
    expect(await test.query(`select id from member where role = 'owner'`)).to.have.length(3);
  });

  it('H275: finds what processes of the release before wrote as they do, until a worker filled it in', async () => {
    await insertMember('mem_4', 'Bo@b\u00fccher.example');

    await test.query(
      `update payment set buyer_email = 'bo@b\u00fccher.example' where buyer_email = $1`,
      [spelled],
    );

    const found = async (buyerEmail: string) =>
      (await listPayments(database.read, account, { page: 1, perPage: 9 }, { buyerEmail })).data
        .length;

    // The form of the address before the change does not stay.
    expect(await found(form)).to.equal(0);
    expect(await found('bo@xn--bcher-kva.example')).to.equal(0);
    expect(await fillMailboxes(database.read, 100)).to.equal(2);
    expect(await fillMailboxes(database.read, 100)).to.equal(0);
    expect(await found('bo@xn--bcher-kva.example')).to.equal(1);
    expect(await found('BO@B\u00dcCHER.example')).to.equal(1);
    expect((await formsOf('member', 'email'))['Bo@b\u00fccher.example']).to.equal(
      'bo@xn--bcher-kva.example',
    );
  });

  it('H275: leaves an address that another session changes for the next time', async () => {
    await insertMember('mem_5', 'eva@b\u00fccher.example');
    const changing = await test.hold(
      `update member set email = 'eva@shop.example' where id = 'mem_5'`,
    );
    expect(await fillMailboxes(database.read, 100)).to.equal(0);
    await changing.release();
    expect(await fillMailboxes(database.read, 100)).to.equal(1);
  });
});
