import { expect } from 'chai';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrate } from '../../src/database/migrate.js';
import { migrations } from '../../src/database/generated/migrations.js';
import { type ApiEventStream, openApiEventStream } from '../support/event-stream.js';
import { eventually } from '../support/eventually.js';

/** What the next release may bring: it needs the table that everything writes to, for a moment alone. */
class Nickname1999000000000 implements MigrationInterface {
  name = 'Nickname1999000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table pending_delivery add column nickname text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table pending_delivery drop column nickname');
  }
}

const next = [...migrations, Nickname1999000000000];

/** A lock is waited for at most 1 s, and sessions behind it wait as long. */
const longestMs = 4_000;

describe('a migration beside running processes, and a session that is idle in a transaction', function () {
  let stream: ApiEventStream;

  before(async () => (stream = await openApiEventStream({})));
  after(() => stream.drop());

  it('does not block readers and writers while it waits, and names the session it waits for', async () => {
    const { database } = stream.service;
    const idle = await database.hold('lock table pending_delivery in access share mode');
    const said: string[] = [];
    const print = (line: string) => void said.push(line);
    let over = false;
    const migrated = migrate(database.url, { migrations: next, print }).finally(
      () => (over = true),
    );
    const took: number[] = [];
    const waited = eventually(() => expect(said).to.have.lengthOf.at.least(2), 'it tries again');
    for (let waiting = true; waiting;) {
      waiting = await Promise.race([waited.then(() => false), one().then(() => true)]);
    }

    expect(over).to.equal(false);
    await idle.release();
    expect(await migrated).to.deep.equal(['Nickname1999000000000']);
    expect(Math.max(...took)).to.be.lessThan(longestMs);
    expect(said[0]).to.match(
      /^Waiting for a lock that process \d+ \(.*idle in transaction for \d+ s\) holds \(try 1 of 30\)\.$/,
    );

    const { duplicates, lost } = await stream.close('a migration that waited', {});
    expect({ duplicates, lost }).to.deep.equal({ duplicates: 0, lost: 0 });

    async function one(): Promise<void> {
      const begun = performance.now();
      await stream.publish();
      await database.query('select count(*) from pending_delivery');
      took.push(performance.now() - begun);
    }
  });
});
