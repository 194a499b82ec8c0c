import { expect } from 'chai';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrate } from '../../../src/database/migrate.js';
import { migrations } from '../../../src/database/generated/migrations.js';
import { explainError } from '../../../src/process/explain-error.js';
import { migrateAll } from '../../../src/process/migrate-all.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { createDataSource } from '../../../src/database/data-source.js';
import { People1795492800000 } from '../../../src/database/migrations/0029-people.js';
import { SubjectOrder1795518000000 } from '../../../src/database/migrations/0036-subject-order.js';
import { publishEvent } from '../../../src/domain/event/publish.js';
import { eventType, insertAccount, insertEndpoint } from '../../support/engine.js';
import type { Database } from '../../../src/database/database.js';
import { Mailboxes1795500000000 } from '../../../src/database/migrations/0031-mailboxes.js';
import { createCheckout } from '../../../src/domain/checkout/checkouts.js';
import { listPayments } from '../../../src/domain/payment/payments.js';
import { backfillMailboxes } from '../../../src/domain/account/backfill-mailboxes.js';
import { recordPayment } from '../../../src/domain/payment/record-payment.js';
import { enqueueNoticesFor } from '../../support/mail.js';
import { SignIn } from '../../support/sign-in.js';

class Nickname1999000000000 implements MigrationInterface {
  name = 'Nickname1999000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table nickname (of text)');
    await runner.query('alter table account add column nickname text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table nickname');
    await runner.query('alter table account drop column nickname');
  }
}

const next = [...migrations, Nickname1999000000000];
const soon = { tries: 2, pauseMs: 1 };

/** Runs `work` on a connection of its own, as a migration does. */
async function runOn(
  test: TestDatabase,
  work: (runner: QueryRunner) => Promise<void>,
): Promise<void> {
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

describe('a migration that finds a lock held', () => {
  let test: TestDatabase;

  before(async () => (test = await createTestDatabase()));
  after(() => test.drop());

  it('fails and names who holds the lock, having changed nothing', async () => {
    const idle = await test.hold(
      `set application_name = 'report'; lock table account in access share mode`,
    );
    const [holder] = await test.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'report'`,
    );
    const error = await migrate(test.url, { migrations: next, ...soon }).catch(
      (thrown: unknown) => thrown,
    );

    await idle.release();

    expect(explainError(error)).to.match(
      new RegExp(
        `^The migration failed after 2 tries: process ${holder?.pid} \\(report, idle in transaction for \\d+ s\\) holds a lock`,
      ),
    );

    const [left] = await test.query<{ found: string | null }>(
      `select to_regclass('nickname')::text as found`,
    );
    expect(left?.found).to.equal(null);
    expect(await migrate(test.url, { migrations: next })).to.deep.equal(['Nickname1999000000000']);
    expect(await migrate(test.url, { migrations: next })).to.deep.equal([]);
  });

  it('waits as briefly for locks on partitions and on the queue’s tables', async () => {
    const database = await createTestDatabase();
    try {
      const [newest] = await database.query<{ name: string }>(
        `select max(inhrelid::regclass::text) as name from pg_inherits
          where inhparent = 'event'::regclass`,
      );

      await database.query(`drop table ${newest?.name ?? ''}`);

      const events = await database.hold('lock table event in access exclusive mode');
      expect(
        explainError(await migrateAll(database.url, soon).catch((thrown: unknown) => thrown)),
      ).to.match(/^The migration failed after 2 tries: process \d+/);
      await events.release();

      const queue = await database.hold('lock table bullmq.migration in access exclusive mode');
      expect(
        explainError(await migrateAll(database.url, soon).catch((thrown: unknown) => thrown)),
      ).to.match(/^The migration failed after 2 tries: process \d+/);
      await queue.release();
      expect(await migrateAll(database.url, soon)).to.deep.equal([]);
    } finally {
      await database.drop();
    }
  });
});

describe('the migration that tells people from the holders of credentials', () => {
  let test: TestDatabase;
  let account: string;
  const migration = new People1795492800000();

  before(async () => {
    test = await createTestDatabase();
    account = await insertAccount(test);
  });

  after(() => test.drop());

  /** As a process of the release before does, which does not know the column. */
  const insert = (id: string, email: string) =>
    test.query(
      `insert into member (id, account_id, email, role, created_at)
       values ($1, $2, $3, 'owner', now())`,
      [id, account, email],
    );

  const holderEmail = (role: string) =>
    `${role}@${account.replace('_', '-').toLowerCase()}.invalid`;
  const people = async () =>
    (await test.query<{ id: string }>('select id from member where is_person order by id')).map(
      ({ id }) => id,
    );

  it('recognises holders by the exact address that was made for the account, and can be repeated', async () => {
    await runOn(test, (runner) => migration.down(runner));
    await insert('mem_1', holderEmail('owner'));
    await insert('mem_2', holderEmail('viewer'));
    await insert('mem_3', 'eve@acc-1.invalid');
    await insert('mem_4', `owner@acc-1.invalid`);
    await insert('mem_5', `x.${holderEmail('owner')}`);
    await insert('mem_6', 'ann@shop.example');
    await runOn(test, async (runner) => {
      await migration.up(runner);
      await migration.up(runner);
    });
    expect(await people()).to.deep.equal(['mem_3', 'mem_4', 'mem_5', 'mem_6']);
  });

  it('marks what processes of the previous release insert while those of this one run', async () => {
    await insert('mem_7', holderEmail('developer'));
    await insert('mem_8', 'developer@acc-1.invalid');
    await insert('mem_9', 'bob@shop.example');
    expect(await people())
      .to.include.members(['mem_8', 'mem_9'])
      .and.not.include('mem_7');
  });

  it('sets the last sign-in of members who have a session', async () => {
    await runOn(test, async (runner) => {
      await migration.down(runner);
      for (const [id, day] of [
        ['ses_1', '2026-11-01'],
        ['ses_2', '2026-11-02'],
      ]) {
        await runner.query(
          `insert into session (id, account_id, member_id, token_sha256, user_agent, created_at, last_used_at)
           values ($1::text, $2, 'mem_6', sha256(convert_to($1::text, 'UTF8')), '', $3, now())`,
          [id, account, `${day}T00:00:00Z`],
        );
      }
      await migration.up(runner);
    });

    const rows = await test.query(
      'select id, signed_in_at from member where signed_in_at is not null',
    );
    expect(rows).to.deep.equal([{ id: 'mem_6', signed_in_at: new Date('2026-11-02T00:00:00Z') }]);
  });

  it('removes identities without a name', async () => {
    await runOn(test, async (runner) => {
      await migration.down(runner);
      for (const subject of ['', 'bob']) {
        await runner.query(
          `insert into member_identity (account_id, member_id, issuer, subject, created_at)
           values ($1, 'mem_9', $2, $2, now())`,
          [account, subject],
        );
      }
      await migration.up(runner);
    });

    const rows = await test.query('select subject from member_identity');
    expect(rows).to.deep.equal([{ subject: 'bob' }]);
  });
});

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

  it('H275: stores the form of addresses with letters outside ASCII, and can be repeated', async () => {
    await pay(spelled);
    await pay('kim@shop.example');
    await enqueueNoticesFor(database, account, spelled, 'ops@shop.example');
    await runOn(test, (runner) => migration.down(runner));
    await insertMember('mem_1', spelled);
    await insertMember('mem_2', 'Kim@xn--mnchen-3ya.example');
    await insertMember('mem_3', 'M\u00fcLLER@shop.example');

    await runOn(test, async (runner) => {
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

  it('H275: members whose addresses became one keep their data, and both get a mail', async () => {
    const sign = new SignIn(test, database);
    await test.query('truncate notice');
    await sign.request(form);
    expect(await sign.mails()).to.have.length(2);
    expect(await test.query(`select id from member where role = 'owner'`)).to.have.length(3);
  });

  it('H275: finds what the previous release wrote as it was written, until a worker has filled in the form', async () => {
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
    expect(await backfillMailboxes(database.read, 100)).to.equal(2);
    expect(await backfillMailboxes(database.read, 100)).to.equal(0);
    expect(await found('bo@xn--bcher-kva.example')).to.equal(1);
    expect(await found('BO@B\u00dcCHER.example')).to.equal(1);
    expect((await formsOf('member', 'email'))['Bo@b\u00fccher.example']).to.equal(
      'bo@xn--bcher-kva.example',
    );
  });

  it('H275: skips an address that another session is changing, until the next run', async () => {
    await insertMember('mem_5', 'eva@b\u00fccher.example');
    const changing = await test.hold(
      `update member set email = 'eva@shop.example' where id = 'mem_5'`,
    );
    expect(await backfillMailboxes(database.read, 100)).to.equal(0);
    await changing.release();
    expect(await backfillMailboxes(database.read, 100)).to.equal(1);
  });
});

describe('the migration that adds the order of subjects', () => {
  let test: TestDatabase;
  const migration = new SubjectOrder1795518000000();

  before(async () => (test = await createTestDatabase()));
  after(() => test.drop());

  it('lets go what waits for its turn when it is undone, and can be repeated', async () => {
    const database = await test.open();
    const account = await insertAccount(test);
    await insertEndpoint(test, account, `ordering = 'subject'`);
    for (let count = 0; count < 2; count += 1) {
      await database.transact((tx) =>
        publishEvent(tx, account, { type: eventType, subject: 'a', data: {} }),
      );
    }

    await runOn(test, async (runner) => {
      await migration.down(runner);
      await migration.up(runner);
      await migration.up(runner);
    });

    const rows = await test.query(
      `select ready, due_at <= now() as due, subject_key from pending_delivery`,
    );
    const released = { ready: true, due: true, subject_key: null };
    expect(rows).to.deep.equal([released, released]);
  });
});
