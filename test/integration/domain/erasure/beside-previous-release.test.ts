import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { createAccount } from '../../../../src/domain/account/accounts.js';
import { createCheckout } from '../../../../src/domain/checkout/checkouts.js';
import { countBuyerErasure, runErasureStep } from '../../../../src/domain/erasure/run-step.js';
import {
  getErasure,
  startAccountErasure,
  startBuyerErasure,
} from '../../../../src/domain/erasure/erasures.js';
import { recordPayment } from '../../../../src/domain/payment/record-payment.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { eventually } from '../../../support/eventually.js';
import { lockOf200, runErasure } from '../../../support/erasure.js';

/** How an API of 2.0.0 starts an erasure. */
const insertOf200 = `
    insert into erasure (id, account_id, kind, requested_by, status, email, include_invoices, stage,
                         pass_started_at, found_in_pass, counts, next_step_at, created_at, updated_at)
    values ($1, $2, $3, $4, 'running', $5, $6, '', $7, 0, $8, $7, $7, $7)`;

/** How a worker of 2.0.0 goes on to another stage. */
const moveOf200 = `
    update erasure
       set stage = $2, place = $3, found_in_pass = $4, counts = $5, next_step_at = $6,
           pass_started_at = $7, updated_at = now()
     where id = $1`;

const email = 'ann@m\u00fcnchen.example';
const punycode = 'ann@xn--mnchen-3ya.example';

describe('erasures beside workers of 2.0.0', () => {
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

  const takenBy200 = async () => (await test.query(lockOf200, [null])).length;

  /** A payment as a process of 2.0.0 writes it: without the form in which this release compares addresses. */
  async function paidAt200(buyerEmail: string): Promise<string> {
    const { transact } = database;
    const { id: checkout } = await transact((tx) =>
      createCheckout(tx, account, {
        currency: 'EUR',
        lineItems: [{ name: 'Pen', quantity: 1, unitAmountMinorUnits: 100 }],
        successUrl: 'https://shop.example/thanks',
      }),
    );

    const { payment } = await transact((tx) =>
      recordPayment(tx, account, { checkout, buyerEmail, buyerName: 'Ann', key: 'a payment' }),
    );
    await test.query('update payment set mailbox = null where id = $1', [payment.id]);

    return payment.id;
  }

  async function addressOf(payment: string): Promise<string | undefined> {
    const [row] = await test.query<{ address: string }>(
      'select buyer_email as address from payment where id = $1',
      [payment],
    );
    return row?.address;
  }

  for (const start of ['buyer', 'account'] as const) {
    it(`H286: only workers of this release take the erasure of a ${start}`, async () => {
      const { id } = await database.transact((tx) =>
        start === 'buyer'
          ? startBuyerErasure(tx, { account, email }, 'command')
          : startAccountErasure(tx, account, 'command'),
      );
      expect(await takenBy200()).to.equal(0);
      for (let steps = 0; steps < 1_000; steps += 1) {
        const step = await runErasureStep(database.transact, { id, lastPassAfterMs: 0 });
        expect(await takenBy200()).to.equal(0);
        if (step?.completed) break;
      }
      expect(await getErasure(database.read, id)).to.include({ status: 'completed' });
    });
  }

  it('H286: an erasure begins its pass again when a worker of 2.0.0 took its first steps', async () => {
    const payment = await paidAt200(email);
    const id = 'era_000000000000000000000001';
    const started = new Date(Date.now() - 600_000);
    await test.query(insertOf200, [id, account, 'buyer', 'command', punycode, false, started, {}]);
    const move = [id, 'mentions_idempotency_record', null, 0, {}, started, started];
    await test.query(moveOf200, move);
    const step = await runErasureStep(database.transact, { id });
    expect(step).to.include({ completed: false });
    expect(await takenBy200()).to.equal(0);
    await runErasure(database, id);
    expect(await addressOf(payment)).to.equal('erased@erased.invalid');
  });

  it('H286: does not complete an erasure while another session keeps an address from being compared', async () => {
    const payment = await paidAt200(email);
    const held = await test.hold(`select from payment where id = '${payment}' for update`);
    const { id } = await database.transact((tx) =>
      startBuyerErasure(tx, { account, email: punycode }, 'command'),
    );
    for (let steps = 0; steps < 100; steps += 1) {
      await runErasureStep(database.transact, { id, lastPassAfterMs: 0 });
    }

    expect(await getErasure(database.read, id)).to.include({ status: 'running', waiting: false });

    const input = { account, email: punycode };
    expect(await countBuyerErasure(database.transact, input)).not.to.have.property('payment');
    await held.release();

    await eventually(async () => {
      const step = await runErasureStep(database.transact, { id, lastPassAfterMs: 0 });
      expect(step?.completed).to.equal(true);
    }, 'the erasure is completed');

    expect(await addressOf(payment)).to.equal('erased@erased.invalid');
  });
});
