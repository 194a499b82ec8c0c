import { mock } from 'node:test';
import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { isUnavailable } from '../../../src/domain/unavailable.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { openConnectionKiller } from '../../support/connection-killer.js';
import { eventually } from '../../support/eventually.js';

const insertAccount = {
  name: 'test-insert-account',
  text: 'insert into account (id, name, created_at) values ($1, $2, $3)',
};
const backend = { name: 'test-backend', text: 'select pg_backend_pid() as pid' };
const one = { name: 'test-one', text: 'select 1 as one' };
const readOnly = { default_transaction_read_only: 'on' };

describe('connections to PostgreSQL', () => {
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
  });
  after(() => test.drop());
  afterEach(() => {
    for (const pid of paused.splice(0)) process.kill(pid, 'SIGCONT');
  });

  const paused: number[] = [];
  function pause(pid: number): void {
    process.kill(pid, 'SIGSTOP');
    paused.push(pid);
  }

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
    const killer = await openConnectionKiller(test.url);
    try {
      const behind = await test.open({ url: killer.url });
      killer.killWhenReady((pid) => test.query('select pg_terminate_backend($1)', [pid]));
      // The pool's only connection so far is in use: this one is new.
      const failed = await behind.transact(async () =>
        behind.transact(() => Promise.resolve('in')).catch((error: unknown) => error),
      );
      expect(isUnavailable(failed)).to.equal(true);
    } finally {
      killer.close();
    }
  });

  it('survives the loss of its connection inside a transaction', async () => {
    const failed = await database
      .transact(async (tx) => {
        await test.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'signalpost-test' and state like 'idle in%'`,
        );
        return tx.sql(one, []);
      })
      .catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error);
    expect(await database.transact((tx) => tx.sql(one, []))).to.deep.equal([{ one: 1 }]);
  });

  it('does not wait for a PostgreSQL that is paused', async () => {
    const impatient = await test.open({ statementTimeoutMs: 2_000 });
    const failed = await impatient
      .transact(async (tx) => {
        const [row] = await tx.sql<{ pid: number }>(backend, []);
        pause(row?.pid ?? 0);
        return tx.sql(one, []);
      })
      .catch((error: unknown) => error);
    expect(isUnavailable(failed)).to.equal(true);
    expect(await impatient.transact((tx) => tx.sql(one, []))).to.deep.equal([{ one: 1 }]);
  });

  it('uses no connection again that did not answer', async () => {
    const impatient = await test.open({ statementTimeoutMs: 2_000, pool: 1 });
    const ask = () => impatient.read.manager.query<{ pid: number }[]>(backend.text);
    const pid = (await ask())[0]?.pid ?? 0;
    pause(pid);
    expect(isUnavailable(await ask().catch((error: unknown) => error))).to.equal(true);
    expect((await ask())[0]?.pid)
      .to.be.a('number')
      .and.not.equal(pid);
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

  it('does not wait for a PostgreSQL that is paused when it has refused to write', async () => {
    const only = await test.open({ pool: 1, serverSettings: readOnly });
    const failed = await only
      .transact(async (tx) => {
        const [row] = await tx.sql<{ pid: number }>(backend, []);
        return tx
          .sql(insertAccount, ['acc_paused', 'Acme', tx.now])
          .finally(() => pause(row?.pid ?? 0));
      })
      .catch((error: unknown) => error);
    expect(isUnavailable(failed)).to.equal(true);
  });

  it('uses a connection again on which a statement failed', async () => {
    const only = await test.open({ pool: 1 });
    const ask = () => only.read.manager.query<{ pid: number }[]>(backend.text);
    const before = await ask();
    const failed: unknown = await only.read.manager
      .query('select 1 / 0')
      .catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error);
    expect(await ask()).to.deep.equal(before);
  });
});
