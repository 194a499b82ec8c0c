import { expect } from 'chai';
import type { QueryRunner } from 'typeorm';
import { createDataSource } from '../../../src/database/data-source.js';
import { migrate } from '../../../src/database/migrate.js';
import { DeliveryKey1764000014000 } from '../../../src/database/migrations/0014-delivery-key.js';
import { makeId } from '../../../src/domain/id.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

// In the order in which they were made: of two that seem to cost the same the last one is used.
const status = '(account_id, status, id DESC)';
const old = ['(chain_id)', '(id)', '(account_id, id DESC)', status];
const keyed = ['(chain_id)', '(account_id, id)', status];

describe('the migration of the key of records', () => {
  let test: TestDatabase;

  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.drop());

  async function migrating(work: 'up' | 'down'): Promise<void> {
    const source = createDataSource({
      url: test.url,
      pool: 1,
      applicationName: 'signalpost-migrate',
      statementTimeoutMs: 0,
    });
    const runner: QueryRunner = (await source.initialize()).createQueryRunner();
    await new DeliveryKey1764000014000()[work](runner).finally(() => source.destroy());
  }

  const record = (wait = '5s') =>
    test.query(
      `with w as (select set_config('lock_timeout', $2, true))
       insert into delivery (id, account_id, endpoint_id, chain_id, event_id, event_type,
                             event_version, attempt, max_attempts, status, test, created_at)
       select $1, 'acc_1', 'whs_1', 'chn_1', 'evt_1', 'a.b', 'v1', 1, 10, 'failed', false, now()
         from w`,
      [makeId('whd', new Date()), wait],
    );
  const records = async () => (await test.query('select id from delivery')).length;
  /** The different sets of valid indexes that the table and its partitions have. */
  const indexes = async () => {
    const rows = await test.query<{ columns: string[] }>(
      `select distinct array_agg(substring(pg_get_indexdef(x.indexrelid) from '\\(.*?\\)')
                order by x.indexrelid) as columns
         from pg_index x
        where x.indisvalid and (x.indrelid = 'delivery'::regclass or x.indrelid in (
                select inhrelid from pg_inherits where inhparent = 'delivery'::regclass))
        group by x.indrelid`,
    );
    return rows.map(({ columns }) => columns);
  };

  it('gives every partition the indexes of the table, and takes them back', async () => {
    expect(await indexes()).to.deep.equal([keyed]);
    await record();
    await migrating('down');
    expect(await indexes()).to.deep.equal([old]);
    await record();
    await migrating('up');
    expect(await indexes()).to.deep.equal([keyed]);
    expect(await records()).to.equal(2);
  });

  it('changes nothing when it is run again: it may be done, and not noted', async () => {
    const made = () =>
      test.query(
        `select indexrelid from pg_index
          where indrelid in (select inhrelid from pg_inherits where inhparent = 'delivery'::regclass)
          order by 1`,
      );
    const before = await made();
    await migrating('up');
    expect(await made()).to.deep.equal(before);
    expect(await indexes()).to.deep.equal([keyed]);
  });

  it('goes on after an interruption, and takes no index that is half built', async () => {
    await record();
    await migrating('down');
    const partitions = await test.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits
        where inhparent = 'delivery'::regclass order by 1 limit 2`,
    );
    for (const [place, { name }] of partitions.entries()) {
      const index = `${name}_key`;
      await test.query(`create unique index ${index} on ${name} (account_id, id)`);
      await test.query(
        `update pg_index set indisvalid = $2 where indexrelid = $1::text::regclass`,
        [index, place === 0],
      );
    }
    await migrating('up');
    expect(await indexes()).to.deep.equal([keyed]);
  });

  it('is made once by several that migrate at the same time', async () => {
    await migrating('down');
    await test.query(`delete from migration where name = 'DeliveryKey1764000014000'`);
    const applied = await Promise.all([1, 2, 3].map(() => migrate(test.url)));
    expect(applied.flat()).to.deep.equal(['DeliveryKey1764000014000']);
    expect(await indexes()).to.deep.equal([keyed]);
  });

  it('ends no process that loses the connection with which it keeps its turn', async () => {
    await migrating('down');
    await test.query(`delete from migration where name = 'DeliveryKey1764000014000'`);
    const writer = await test.hold(
      `select pg_current_xact_id(); lock table delivery in row exclusive mode`,
    );
    const migrated = migrate(test.url).catch((error: unknown) => error);
    await eventually(async () => {
      const cut = await test.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'signalpost-migrate'
            and state = 'idle' and pid in (select pid from pg_locks where locktype = 'advisory')
            and exists (select from pg_stat_activity
                         where query like 'create unique index concurrently%')`,
      );
      expect(cut).to.have.lengthOf(1);
    }, 'it waits, with its turn in hand');
    await writer.release();
    expect(await migrated).to.be.an.instanceOf(Error);
    expect(await migrate(test.url)).to.deep.equal([]);
    expect(await indexes()).to.deep.equal([keyed]);
  });

  it('lets others record while it builds', async () => {
    await migrating('down');
    const writer = await test.hold(
      `select pg_current_xact_id(); lock table delivery in row exclusive mode`,
    );
    const migrated = migrating('up');
    await eventually(async () => {
      const waiting = await test.query(
        `select from pg_stat_activity where datname = current_database()
            and query like 'create unique index concurrently%' and wait_event_type = 'Lock'`,
      );
      expect(waiting).to.have.lengthOf(1);
    }, 'an index waits for who writes already');
    await record('100ms');
    await writer.release();
    await migrated;
    expect(await indexes()).to.deep.equal([keyed]);
    expect(await records()).to.equal(1);
  });
});
