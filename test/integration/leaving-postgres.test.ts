import { expect } from 'chai';
import pg from 'pg';
import { acquirePostgres, type PostgresHandle } from '../../tools/launcher/embedded-postgres.js';
import { findPostmaster } from '../../tools/launcher/postgres-server.js';
import { createTestHome, type TestHome } from '../support/launcher.js';

describe('a process that leaves the embedded PostgreSQL', () => {
  let home: TestHome;
  let other: PostgresHandle;

  before(async () => {
    home = await createTestHome();
    other = await acquirePostgres(home.dataDir, 'other');
  });

  after(() => home.remove());

  it('does not stop PostgreSQL for others when its own connection gets no answer', async () => {
    const leaving = await acquirePostgres(home.dataDir, 'leaving');
    const client = new pg.Client({ connectionString: other.databaseUrl });
    await client.connect();

    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'signalpost-leaving'`,
    );
    const pid = rows[0]?.pid ?? 0;
    const running = findPostmaster(home.cluster());

    process.kill(pid, 'SIGSTOP');

    try {
      await leaving.leave();
      expect(findPostmaster(home.cluster())).to.deep.equal(running);
      expect((await client.query('select 1')).rows).to.have.lengthOf(1);
    } finally {
      process.kill(pid, 'SIGCONT');
      await client.end();
    }

    await other.leave();
    expect(findPostmaster(home.cluster())).to.equal(undefined);
  });
});
