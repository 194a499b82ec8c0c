import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { poll as pollAs } from '../../../src/domain/service/poll.js';
import {
  deleteHeartbeat,
  purgeHeartbeats,
  readAliveWorkers,
} from '../../../src/domain/heartbeats.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

const worker = { id: 'node-1/7/00c0ffee', roles: ['deliver', 'notify'], version: '1.0.0' };

describe('the heartbeat of a worker', () => {
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
  });

  after(() => test.drop());
  beforeEach(() => test.query('truncate worker_heartbeat'));

  const poll = () => pollAs(database.read, Infinity, worker);
  const move = (by: string) =>
    test.query(`update worker_heartbeat set seen_at = now() + $1::interval`, [by]);
  const alive = async () => (await readAliveWorkers(database.read)).map(({ id }) => id);

  /** How long ago the row was written; negative for a time in the future. */
  const age = async () => {
    const [row] = await test.query<{ age: number }>(
      'select extract(epoch from now() - seen_at)::float8 as age from worker_heartbeat',
    );
    return row?.age ?? NaN;
  };

  it('is written by a poll, with its roles, and by no poll without a worker', async () => {
    await pollAs(database.read, Infinity, undefined);
    expect(await alive()).to.deep.equal([]);
    await poll();
    const [found] = await readAliveWorkers(database.read);
    expect(found).to.deep.include(worker);
  });

  it('is written again after ten seconds of PostgreSQL’s clock, and not before', async () => {
    await poll();
    await move('-9 seconds');
    await test.query(`update worker_heartbeat set seen_at = seen_at + interval '5 seconds'`);
    const before = await test.query('select seen_at::text from worker_heartbeat');
    await poll();
    expect(await test.query('select seen_at::text from worker_heartbeat')).to.eql(before);
    await move('-1 hour');
    await poll();
    expect(await age()).to.be.below(3_000);
  });

  it('is written again when the clock of PostgreSQL was set back', async () => {
    await poll();
    await move('1 day');
    await poll();
    expect(await age()).to.be.above(-3_600);
  });

  it('ends with a stop, or 30 seconds after the last poll', async () => {
    await poll();
    await deleteHeartbeat(database.read, worker.id);
    expect(await alive()).to.deep.equal([]);
    await poll();
    await move('-31 seconds');
    expect(await alive()).to.deep.equal([]);
  });

  it('is purged an hour after the worker ended', async () => {
    await poll();
    const purge = () => database.transact((tx) => purgeHeartbeats(tx, 10));
    await move('-59 minutes');
    expect(await purge()).to.equal(0);
    await move('-61 minutes');
    expect(await purge()).to.equal(1);
    expect(await test.query('select from worker_heartbeat')).to.have.lengthOf(0);
  });
});
