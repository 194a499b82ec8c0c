import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { migrations } from '../../../src/database/generated/migrations.js';
import { migrate } from '../../../src/database/migrate.js';
import { oldestCompatible } from '../../../src/database/schema.js';
import { LockNotAvailable, TransactionAborted } from '../../../src/domain/transaction/tx.js';
import type { Wakeup } from '../../../src/domain/transaction/wakeup.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

const insertAccount = {
  name: 'test-insert-account',
  text: 'insert into account (id, name, created_at) values ($1, $2, $3)',
};

describe('database', () => {
  let test: TestDatabase;
  let database: Database;
  const sent: Wakeup[] = [];

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ wake: (wakeups) => void sent.push(...wakeups) });
  });

  after(() => test.drop());

  it('commits, then sends the wake-ups of the transaction', async () => {
    sent.length = 0;
    await database.transact(async (tx) => {
      await tx.sql(insertAccount, ['acc_committed', 'Acme', tx.now]);
      tx.wake({ kind: 'due' });
      expect(sent).to.deep.equal([]);
    });
    expect(sent).to.deep.equal([{ kind: 'due' }]);
    expect(await test.query(`select name from account where id = 'acc_committed'`)).to.deep.equal([
      { name: 'Acme' },
    ]);
  });

  it('rolls back and sends nothing when the work throws', async () => {
    sent.length = 0;
    const failed = database.transact(async (tx) => {
      await tx.sql(insertAccount, ['acc_rolled_back', 'Acme', tx.now]);
      tx.wake({ kind: 'due' });
      throw new Error('no');
    });
    expect(await failed.catch((error: unknown) => (error as Error).message)).to.equal('no');
    expect(sent).to.deep.equal([]);
    expect(await test.query(`select 1 from account where id = 'acc_rolled_back'`)).to.deep.equal(
      [],
    );
  });

  it('refuses at once when the lock it asks for is held by another transaction', async () => {
    await database.transact(
      async () => {
        const second = await database
          .transact(() => Promise.resolve('in'), { lock: 42n })
          .catch((error: unknown) => error);
        expect(second).to.be.instanceOf(LockNotAvailable);
      },
      { lock: 42n },
    );
    expect(await database.transact(() => Promise.resolve('in'), { lock: 42n })).to.equal('in');
  });

  it('aborts work whose caller no longer waits: it commits nothing and begins nothing more', async () => {
    const signal = { aborted: false };
    const given = await database
      .transact(
        async (tx) => {
          await tx.sql(insertAccount, ['acc_aborted', 'Acme', tx.now]);
          signal.aborted = true;
        },
        { signal },
      )
      .catch((error: unknown) => error);

    expect(given).to.be.instanceOf(TransactionAborted);
    expect(await test.query(`select 1 from account where id = 'acc_aborted'`)).to.deep.equal([]);

    const startedAt = await database
      .transact(() => Promise.resolve('begun'), { signal })
      .catch((error: unknown) => error);
    expect(startedAt).to.be.instanceOf(TransactionAborted);
  });

  it('applies its settings beside those of the URL', async () => {
    const options = encodeURIComponent('-c search_path=public,bullmq');
    const settings = { serverSettings: { enable_seqscan: 'off', jit: 'off' } };
    const other = await test.open({ url: `${test.url}?options=${options}`, ...settings });
    const text = `select current_setting('search_path') as path,
      current_setting('enable_seqscan') || current_setting('jit') as others`;
    expect(await other.read.sql({ name: 'test-settings', text }, [])).to.deep.equal([
      { path: 'public,bullmq', others: 'offoff' },
    ]);
  });

  it('refuses a schema that is not the one of this build, unless a newer version lets it run', async () => {
    const refused = () => test.open().catch((error: unknown) => String(error));
    await test.query(`insert into migration ("timestamp", name) values (1, 'Later1')`);
    await test.query('delete from schema_compatibility');
    expect(await refused()).to.match(/^SchemaMismatch: A newer version .* does not know Later1\./);
    await test.query(`insert into schema_compatibility (oldest) values ('Later0')`);
    expect(await refused()).to.match(/^SchemaMismatch: A newer version/);
    await test.query('update schema_compatibility set oldest = $1', [migrations.at(-1)?.name]);
    expect(await refused()).to.be.an('object');
    expect(await migrate(test.url)).to.deep.equal([]);

    const applied = await test.query<{ name: string }>(
      `with gone as (delete from migration returning id, name) select name from gone order by id`,
    );
    expect(await refused()).to.match(/^SchemaMismatch: The schema is at "nothing"/);
    await test.query(`insert into migration ("timestamp", name) values (1, 'Other1')`);
    expect(await refused()).to.match(/^UnsupportedSchema: .*its first migration is Other1\./);
    await test.query('delete from migration');

    const names = applied.map(({ name }) => name).filter((name) => name !== 'Later1');
    await test.query(`insert into migration ("timestamp", name) select 1, unnest($1::text[])`, [
      names,
    ]);
  });

  it('records which versions may run on its schema, and keeps what a newer version recorded', async () => {
    const oldest = () => test.query('select oldest from schema_compatibility');
    await migrate(test.url);
    expect(await oldest()).to.deep.equal([{ oldest: oldestCompatible }]);
    await test.query(`insert into migration ("timestamp", name) values (1, 'Later1')`);
    await test.query('update schema_compatibility set oldest = $1', [migrations.at(-1)?.name]);
    await migrate(test.url);
    expect(await oldest()).to.deep.equal([{ oldest: migrations.at(-1)?.name }]);
    await test.query(`delete from migration where name = 'Later1'`);
  });

  it('records which versions may run before it applies the first of its migrations', async () => {
    const seen: unknown[] = [];
    class Breaking1999000000000 {
      readonly name = 'Breaking1999000000000';
      async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
        seen.push(await runner.query('select oldest from schema_compatibility'));
      }
      async down(): Promise<void> {
        // Migrations are not reverted.
      }
    }

    const oldest = 'Breaking1999000000000';
    await migrate(test.url, { migrations: [...migrations, Breaking1999000000000], oldest });
    expect(seen).to.deep.equal([[{ oldest }]]);
    await test.query('delete from migration where name = $1', [oldest]);
    await migrate(test.url);
  });

  it('migrates again without changing anything', async () => {
    expect(await migrate(test.url)).to.deep.equal([]);
  });
});

describe('tables whose rows live for moments', () => {
  let test: TestDatabase;

  before(async () => (test = await createTestDatabase()));
  after(() => test.drop());

  const dead = { pending_delivery: 5_000, lease: 1_000 } as const;
  for (const [table, most] of Object.entries(dead)) {
    it(`${table} is vacuumed without pauses after ${most} dead rows, at any size`, async () => {
      const rows = await test.query<{ name: string; value: string }>(
        `select o.option_name as name, o.option_value as value
           from pg_class c cross join lateral pg_options_to_table(c.reloptions) o
          where c.oid = to_regclass($1)`,
        [table],
      );
      const options = new Map(rows.map(({ name, value }) => [name, Number(value)]));
      expect(options.get('autovacuum_vacuum_scale_factor')).to.equal(0);
      expect(options.get('autovacuum_vacuum_threshold')).to.equal(most);
      expect(options.get('autovacuum_vacuum_cost_delay')).to.equal(0);
      expect(options.has('autovacuum_enabled')).to.equal(false);
    });
  }

  it('pending_delivery keeps half of its pages free for the claims of rows written together', async () => {
    const [row] = await test.query<{ options: string[] }>(
      `select reloptions as options from pg_class where oid = to_regclass('pending_delivery')`,
    );
    expect(row?.options).to.include('fillfactor=45');
  });
});
