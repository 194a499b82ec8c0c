import { expect } from 'chai';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrate } from '../../../src/database/migrate.js';
import {
  concurrently,
  concurrentlyOnPartitions,
} from '../../../src/database/migrations/concurrently.js';
import { migrations } from '../../../src/database/generated/migrations.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

const definition = 'pending_delivery_by_type on pending_delivery (event_type)';

/** A migration as CONTRIBUTING.md wants one: it resumes after an interruption, and keeps no half-built index. */
class ByType1999000000000 implements MigrationInterface {
  name = 'ByType1999000000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await concurrently(runner, `drop index concurrently if exists pending_delivery_by_type`);
    await concurrently(runner, `create index concurrently ${definition}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await concurrently(runner, `drop index concurrently pending_delivery_by_type`);
  }
}

/** As {@link ByType1999000000000}, of a partitioned table. */
class EventsByType1999000000001 implements MigrationInterface {
  name = 'EventsByType1999000000001';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await concurrentlyOnPartitions(runner, 'event_by_type', 'event', 'type');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index event_by_type`);
  }
}

const next = [...migrations, ByType1999000000000];

describe('a migration that builds an index concurrently', () => {
  let test: TestDatabase;

  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.drop());

  const pending = (wait = '5s') =>
    test.query(
      `with w as (select set_config('lock_timeout', $1, true))
       insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at,
                          attempt, max_attempts, test, created_at)
       select 'pdl_' || gen_random_uuid(), 'acc_1', 'whs_1', 'evt_1', 'a.b', 'live', true, now(),
              1, 10, false, now()
         from w`,
      [wait],
    );

  const isValid = () =>
    test.query<{ valid: boolean }>(
      `select indisvalid as valid from pg_index where indexrelid = to_regclass('pending_delivery_by_type')`,
    );

  /** A transaction that the build waits for. */
  const writer = () =>
    test.hold(`select pg_current_xact_id(); lock table pending_delivery in row exclusive mode`);
  const building = `select pid from pg_stat_activity where datname = current_database()
     and query like 'create index concurrently%' and wait_event_type = 'Lock'`;

  it('lets others write while it waits for earlier transactions', async () => {
    const earlier = await writer();
    const migrated = migrate(test.url, { migrations: next });
    await eventually(
      async () => expect(await test.query(building)).to.have.lengthOf(1),
      'the build waits for the writer',
    );
    await pending('100ms');
    await earlier.release();
    expect(await migrated).to.deep.equal(['ByType1999000000000']);
    expect(await isValid()).to.deep.equal([{ valid: true }]);
  });

  it('replaces an index that an interruption left half built', async () => {
    await pending();
    await test.query(`create index ${definition}`);
    await test.query(
      `update pg_index set indisvalid = false where indexrelid = 'pending_delivery_by_type'::regclass`,
    );
    await migrate(test.url, { migrations: next });
    expect(await isValid()).to.deep.equal([{ valid: true }]);
  });

  it('finishes the index of a partitioned table where it was interrupted', async () => {
    const parts = () =>
      test.query<{ name: string; valid: boolean }>(
        `select x.indexrelid::regclass::text as name, x.indisvalid as valid from pg_index x
          where x.indexrelid in (select inhrelid from pg_inherits where inhparent = 'event_by_type'::regclass)
             or x.indexrelid = 'event_by_type'::regclass order by 1`,
      );

    await test.query('create index event_by_type on only event (type)');

    const [partition] = await test.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'event'::regclass limit 1`,
    );
    const part = partition!.name.replace('event', 'event_by_type');
    await test.query(`create index ${part} on ${partition!.name} (type)`);
    await test.query(
      `update pg_index set indisvalid = false where indexrelid = '${part}'::regclass`,
    );
    await migrate(test.url, { migrations: [...migrations, EventsByType1999000000001] });

    const built = await parts();
    expect(built).to.have.length.above(2);
    expect(built.filter(({ valid }) => !valid)).to.deep.equal([]);
  });

  it('several processes that migrate at the same time apply it once', async () => {
    const applied = await Promise.all([1, 2, 3].map(() => migrate(test.url, { migrations: next })));
    expect(applied.flat()).to.deep.equal(['ByType1999000000000']);
    expect(await isValid()).to.deep.equal([{ valid: true }]);
  });

  it('fails without ending the process when the connection breaks that holds its lock', async () => {
    const earlier = await writer();
    const migrated = migrate(test.url, { migrations: next }).catch((error: unknown) => error);

    await eventually(async () => {
      expect(await test.query(building)).to.have.lengthOf(1);
      const cut = await test.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'signalpost-migrate'
            and state = 'idle' and pid in (select pid from pg_locks where locktype = 'advisory')`,
      );
      expect(cut).to.have.lengthOf(1);
    }, 'it builds, with its turn in hand');

    await earlier.release();
    expect(await migrated).to.be.an.instanceOf(Error);
    await migrate(test.url, { migrations: next });
    expect(await isValid()).to.deep.equal([{ valid: true }]);
  });
});

describe('a migration without a transaction', function () {
  for (const [place, Migration] of migrations.entries()) {
    const { name = '', transaction } = new Migration();
    if (transaction !== false) continue;

    it(`runs again after an interruption: ${name}`, async () => {
      const test = await createTestDatabase(undefined, '', 'template1');
      try {
        const upTo = { migrations: migrations.slice(0, place + 1), oldest: name };
        await migrate(test.url, upTo);
        await test.query('delete from migration where name = $1', [name]);
        expect(await migrate(test.url, upTo)).to.deep.equal([name]);
      } finally {
        await test.drop();
      }
    });
  }
});
