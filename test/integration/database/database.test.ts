import { mock } from 'node:test';
import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { migrate } from '../../../src/database/migrate.js';
import { isUnavailable } from '../../../src/domain/unavailable.js';
import { LockTaken } from '../../../src/domain/tx.js';
import type { Wakeup } from '../../../src/domain/wakeup.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { openEndedWhenReady } from '../../support/ended-when-ready.js';

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

  it('commits, then sends the wake-ups that the transaction owed', async () => {
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
        expect(second).to.be.instanceOf(LockTaken);
      },
      { lock: 42n },
    );
    expect(await database.transact(() => Promise.resolve('in'), { lock: 42n })).to.equal('in');
  });

  it('has its settings beside those of the address', async () => {
    const options = encodeURIComponent('-c search_path=public,bullmq');
    const settings = { serverSettings: { enable_seqscan: 'off', jit: 'off' } };
    const other = await test.open({ url: `${test.url}?options=${options}`, ...settings });
    const text = `select current_setting('search_path') as path,
      current_setting('enable_seqscan') || current_setting('jit') as others`;
    expect(await other.read.sql({ name: 'test-settings', text }, [])).to.deep.equal([
      { path: 'public,bullmq', others: 'offoff' },
    ]);
  });

  it('keeps one connection for what comes after a quiet time, and what was prepared on it', async () => {
    const text =
      'select pg_backend_pid() as pid, count(*)::int as prepared from pg_prepared_statements';
    const connections = () =>
      test.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'quiet'`,
      );
    mock.timers.enable({ apis: ['setTimeout'] });
    let quiet: Database;
    try {
      quiet = await test.open({ applicationName: 'quiet' });
      const ask = () => quiet.read.sql({ name: 'test-prepared', text }, []);
      await Promise.all([ask(), ask()]);
      expect(await connections()).to.have.length(2);
      mock.timers.tick(3_600_000);
    } finally {
      mock.timers.reset();
    }
    const [kept] = await eventually(async () => {
      const left = await connections();
      expect(left).to.have.length(1);
      return left;
    }, 'one connection is left');
    expect(await quiet.read.sql({ name: 'test-prepared', text }, [])).to.deep.equal([
      { ...kept, prepared: 1 },
    ]);
  });

  it('survives connections that end in the moment they are made', async () => {
    const door = await openEndedWhenReady(test.url);
    try {
      const behind = await test.open({ url: door.url });
      door.strike((pid) => test.query('select pg_terminate_backend($1)', [pid]));
      // The pool's only connection so far is in use: this one is new.
      const failed = await behind.transact(async () =>
        behind.transact(() => Promise.resolve('in')).catch((error: unknown) => error),
      );
      expect(isUnavailable(failed)).to.equal(true);
    } finally {
      door.close();
    }
  });

  it('survives the loss of its connection inside a transaction', async () => {
    const failed = await database
      .transact(async (tx) => {
        await test.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'signalpost-test' and state like 'idle in%'`,
        );
        return tx.sql({ name: 'one', text: 'select 1 as one' }, []);
      })
      .catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error);
    expect(
      await database.transact((tx) => tx.sql({ name: 'one', text: 'select 1 as one' }, [])),
    ).to.deep.equal([{ one: 1 }]);
  });

  it('does not wait for a PostgreSQL that is paused', async () => {
    const impatient = await test.open({ statementTimeoutMs: 100, applicationName: 'paused' });
    const paused = await impatient
      .transact(async (tx) => {
        const [row] = await tx.sql<{ pid: number }>(
          { name: 'pid', text: 'select pg_backend_pid() as pid' },
          [],
        );
        const pid = row?.pid ?? 0;
        process.kill(pid, 'SIGSTOP');
        return tx.sql({ name: 'one', text: 'select 1 as one' }, []).finally(() => {
          process.kill(pid, 'SIGCONT');
        });
      })
      .catch((error: unknown) => error);
    expect(isUnavailable(paused)).to.equal(true);
    const again = await impatient.transact((tx) =>
      tx.sql({ name: 'one', text: 'select 1 as one' }, []),
    );
    expect(again).to.deep.equal([{ one: 1 }]);
  });

  it('uses no connection again that did not answer', async () => {
    const impatient = await test.open({ statementTimeoutMs: 100, pool: 1 });
    const ask = () =>
      impatient.read.manager.query<{ pid: number }[]>('select pg_backend_pid() as pid');
    const pid = (await ask())[0]?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      expect(isUnavailable(await ask().catch((error: unknown) => error))).to.equal(true);
      expect((await ask())[0]?.pid)
        .to.be.a('number')
        .and.not.equal(pid);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });

  it('uses no connection again that refused to write', async () => {
    const only = await test.open({ pool: 1 });
    const text = 'set default_transaction_read_only = on';
    await only.read.sql({ name: 'test-read-only', text }, []);
    const insert = () =>
      only.transact((tx) => tx.sql(insertAccount, ['acc_written', 'Acme', tx.now]));
    expect(isUnavailable(await insert().catch((error: unknown) => error))).to.equal(true);
    await insert();
    expect(await test.query(`select from account where id = 'acc_written'`)).to.have.length(1);
  });

  it('refuses a schema that is not the one of this build', async () => {
    const initial = 'Initial1764000000000';
    await test.query(`update migration set name = 'Other1' where name = $1`, [initial]);
    const refused = await test.open().catch((error: unknown) => (error as Error).name);
    await test.query(`update migration set name = $1 where name = 'Other1'`, [initial]);
    expect(refused).to.equal('SchemaMismatch');
  });

  it('migrates again without changing anything', async () => {
    expect(await migrate(test.url)).to.deep.equal([]);
  });
});
