import { expect } from 'chai';
import { insertAccount, insertEndpoint } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startWorker, type WorkerProcess } from '../support/service.js';

const deltas = 3_000;

// On one queue: folding sends no wake-ups.
describe('statistics whose folding is killed', function () {
  let test: TestDatabase;
  const workers: WorkerProcess[] = [];

  before(async () => {
    test = await createTestDatabase();
  });

  after(async () => {
    await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
    await test.drop();
  });

  const start = async () => {
    const worker = await startWorker({ DATABASE_URL: test.url, WORKER_ROLES: 'expire' });
    workers.push(worker);
    return worker;
  };

  const counted = async () => {
    const [row] = await test.query<{ folded: number; left: number; times: number }>(
      `select (select coalesce(sum(success), 0)::int from delivery_statistics where endpoint_id = '') as folded,
              (select count(*)::int from delivery_statistics_delta) as left,
              (select coalesce(sum(t), 0)::int from delivery_statistics, unnest(times) t
                where endpoint_id = '') as times`,
    );
    return row!;
  };

  it('H136: counts each delta once, and loses none', async () => {
    const account = await insertAccount(test);
    const endpoint = await insertEndpoint(test, account);
    await test.query(
      `insert into delivery_statistics_delta (endpoint_id, hour, success, durations_ms)
       select $1, date_trunc('hour', now()), 1, array[i % 500] from generate_series(1, ${deltas}) i`,
      [endpoint],
    );

    // Another session holds the hour, so that folding has deleted deltas and cannot end.
    const holder = await test.hold(
      `insert into delivery_statistics (account_id, endpoint_id, span, starts_at, success, failed,
                                        abandoned, retries, buckets, times)
       values ('${account}', '', 'hour', date_trunc('hour', now()), 0, 0, 0, 0, '{}', '{}')`,
    );

    const folding = () =>
      test.query(`select from pg_stat_activity
                   where datname = current_database() and wait_event_type = 'Lock'
                     and query like '%delete from delivery_statistics_delta%'`);

    await Promise.all([start(), start()]);

    await eventually(
      async () => expect(await folding()).to.have.lengthOf(1),
      'one worker folds, and waits',
    );

    await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
    await holder.release();
    await eventually(async () => expect(await folding()).to.deep.equal([]), 'its session ended');

    const { folded, left } = await counted();
    expect(folded + left).to.equal(deltas);
    await Promise.all([start(), start()]);

    await eventually(
      async () => expect(await counted()).to.deep.equal({ folded: deltas, left: 0, times: deltas }),
      'all deltas are folded',
    );
  });
});
