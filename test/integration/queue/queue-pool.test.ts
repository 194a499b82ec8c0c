import { expect } from 'chai';
import { connectQueue } from '../../../src/queue/connection.js';
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

  it('end with the process that closes them, though a worker closed early still takes one', async () => {
    const schema = await database.hold('lock table bullmq.migration in access exclusive mode');
    const connection = connectQueue(
      { databaseUrl: database.url, redisUrl: undefined, onError: () => undefined },
      1,
    );
    const worker = connection.worker('due', () => Promise.resolve());
    const ready = worker.waitUntilReady().catch(() => undefined);
    await eventually(async () => expect(await connections()).to.have.lengthOf(1), 'it connects');
    await worker.close(true);
    await schema.release();
    await ready;
    await eventually(async () => {
      expect((await connections()).map(({ name }) => name)).to.include('signalpost-due');
    }, 'it takes a connection to listen on');
    await connection.close();
    await eventually(async () => expect(await connections()).to.deep.equal([]), 'all are ended');
  });
});
