import { expect } from 'chai';
import type { QueryRunner } from 'typeorm';
import { createDataSource } from '../../../src/database/data-source.js';
import { People1795492800000 } from '../../../src/database/migrations/0029-people.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { insertAccount } from '../../support/engine.js';

describe('the migration that tells people from the holders of credentials', () => {
  let test: TestDatabase;
  let account: string;
  const migration = new People1795492800000();

  before(async () => {
    test = await createTestDatabase();
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

  it('goes by the exact address that was made for the account, and can be repeated', async () => {
    await withRunner((runner) => migration.down(runner));
    await insert('mem_1', holderEmail('owner'));
    await insert('mem_2', holderEmail('viewer'));
    await insert('mem_3', 'eve@acc-1.invalid');
    await insert('mem_4', `owner@acc-1.invalid`);
    await insert('mem_5', `x.${holderEmail('owner')}`);
    await insert('mem_6', 'ann@shop.example');
    await withRunner(async (runner) => {
      await migration.up(runner);
      await migration.up(runner);
    });
    expect(await people()).to.deep.equal(['mem_3', 'mem_4', 'mem_5', 'mem_6']);
  });

  it('marks what processes of the release before insert beside those of this one', async () => {
    await insert('mem_7', holderEmail('developer'));
    await insert('mem_8', 'developer@acc-1.invalid');
    await insert('mem_9', 'bob@shop.example');
    expect(await people())
      .to.include.members(['mem_8', 'mem_9'])
      .and.not.include('mem_7');
  });

  it('knows of members with a session when they signed in last', async () => {
    await withRunner(async (runner) => {
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

  it('takes identities without a name away', async () => {
    await withRunner(async (runner) => {
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
