import { expect } from 'chai';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrate } from '../../../src/database/migrate.js';
import { migrations } from '../../../src/database/generated/migrations.js';
import { explainError } from '../../../src/process/explain-error.js';
import { migrateAll } from '../../../src/process/migrate-all.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

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

describe('a migration that finds a lock held', () => {
  let test: TestDatabase;

  before(async () => (test = await createTestDatabase()));
  after(() => test.drop());

  it('ends and names who holds it, having changed nothing', async () => {
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

  it('waits as briefly for the partitions and for the queue’s tables', async () => {
    const own = await createTestDatabase();
    try {
      const [newest] = await own.query<{ name: string }>(
        `select max(inhrelid::regclass::text) as name from pg_inherits
          where inhparent = 'event'::regclass`,
      );

      await own.query(`drop table ${newest?.name ?? ''}`);

      const events = await own.hold('lock table event in access exclusive mode');
      expect(
        explainError(await migrateAll(own.url, soon).catch((thrown: unknown) => thrown)),
      ).to.match(/^The migration failed after 2 tries: process \d+/);
      await events.release();

      const queue = await own.hold('lock table bullmq.migration in access exclusive mode');
      expect(
        explainError(await migrateAll(own.url, soon).catch((thrown: unknown) => thrown)),
      ).to.match(/^The migration failed after 2 tries: process \d+/);
      await queue.release();
      expect(await migrateAll(own.url, soon)).to.deep.equal([]);
    } finally {
      await own.drop();
    }
  });
});
