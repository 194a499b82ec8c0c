import { expect } from 'chai';
import { wakeupKinds } from '../../../src/domain/transaction/wakeup.js';
import { connectQueue, jobName } from '../../../src/queue/connection.js';
import { listenForWakeups } from '../../../src/queue/consumer.js';
import { createWakeupPublisher } from '../../../src/queue/producer.js';
import { migrateQueue } from '../../../src/queue/migrate.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

describe('connections to a queue in PostgreSQL', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
    await migrateQueue(database.url);
  });

  after(() => database.drop());

  const connections = () =>
    database.query<{ name: string }>(
      `select application_name as name from pg_stat_activity
        where datname = current_database() and application_name like 'signalpost-%'`,
    );

  const open = () =>
    connectQueue({ databaseUrl: database.url, redisUrl: undefined, onError: () => undefined });

  it('close ends all connections, although a worker was closed early', async () => {
    const schema = await database.hold('lock table bullmq.migration in access exclusive mode');
    const connection = open();
    const worker = connection.worker('due', () => Promise.resolve());
    const ready = worker.waitUntilReady().catch(() => undefined);
    await eventually(async () => expect(await connections()).to.have.lengthOf(1), 'it connects');
    await worker.close(true);
    await schema.release();
    await ready;
    await connection.close();
    await eventually(async () => expect(await connections()).to.deep.equal([]), 'all are ended');
  });

  it('creates no temporary table for a wake-up, because catalogues would grow by it', async () => {
    await database.query(`
      create function refuse() returns event_trigger language plpgsql as
        $$ begin raise exception 'a table is created'; end $$;
      create event trigger no_table on ddl_command_start when tag in ('CREATE TABLE AS')
        execute function refuse()`);

    const lost: unknown[] = [];
    const wakeupPublisher = createWakeupPublisher({
      databaseUrl: database.url,
      redisUrl: undefined,
      onError: () => undefined,
      signal: () => Promise.resolve(),
      onLost: (_kind, error) => void lost.push(error),
    });
    try {
      wakeupPublisher.wake([{ kind: 'due' }]);
      await eventually(async () => {
        expect(lost).to.eql([]);
        expect(await database.query('select from bullmq.job')).to.have.lengthOf(1);
      }, 'the job of the next second is there');
    } finally {
      await wakeupPublisher.close();
      await database.query('drop event trigger no_table; truncate bullmq.job cascade');
    }
  });

  it('one connection listens, however many workers wait, and at most two others are open', async () => {
    const done: string[] = [];
    const listeners = listenForWakeups({
      databaseUrl: database.url,
      redisUrl: undefined,
      onError: () => undefined,
      kinds: wakeupKinds,
      onWakeup: (kind, scheduled) => Promise.resolve(scheduled && done.push(kind) > 0),
    });

    const producer = open();
    try {
      for (const kind of wakeupKinds) {
        const queue = await producer.queue(kind);
        // Each worker takes the first one when it becomes ready, and waits for the second.
        for (const jobId of ['first', 'second']) {
          await queue.add(jobName, {}, { jobId: `${kind}-${jobId}` });
          const expected = jobId === 'first' ? 1 : 2;
          await eventually(
            () => expect(done.filter((doneKind) => doneKind === kind)).to.have.lengthOf(expected),
            `the ${jobId} job of ${kind} is taken`,
          );
        }

        await queue.close();
      }

      await producer.close();

      const names = (await connections()).map(({ name }) => name);
      expect(names.filter((name) => name !== 'signalpost-queue')).to.deep.equal([
        'signalpost-listen',
      ]);
      expect(names).to.have.length.at.most(3);
    } finally {
      await listeners.close();
    }
  });
});
