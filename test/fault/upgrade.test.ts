import { expect } from 'chai';
import { fetch } from 'undici';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrations } from '../../src/database/generated/migrations.js';
import { migrate } from '../../src/database/migrate.js';
import { concurrently } from '../../src/database/migrations/concurrently.js';
import { type ApiEventStream, openApiEventStream } from '../support/event-stream.js';
import { eventually } from '../support/eventually.js';
import { startProcess } from '../support/process.js';
import { describeServiceOnQueues, type ServiceQueue } from '../support/queue-backends.js';

/** What the next version may add: columns, a table, and an index on a table that all write to. */
class NextVersion1999000000000 implements MigrationInterface {
  name = 'NextVersion1999000000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table event add column if not exists nickname text');
    await runner.query('alter table delivery add column if not exists nickname text');
    await runner.query('create table if not exists nickname (id text primary key)');
    const index = 'create index concurrently on pending_delivery (event_type)';
    await concurrently(runner, index);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table nickname');
  }
}

/** Acknowledged events in each step. */
const flowing = 100;

describeServiceOnQueues('an upgrade', (create) => {
  let queue: ServiceQueue;
  let stream: ApiEventStream;

  before(async () => {
    queue = await create();
    stream = await openApiEventStream({ ...queue, workers: 2 });
  });

  after(async () => {
    await stream.drop();
    await queue.drop();
  });

  async function flow(): Promise<void> {
    const before = stream.acked.size;
    await eventually(
      () => expect(stream.acked.size).to.be.at.least(before + flowing),
      'events are acknowledged',
    );
  }

  /** Answers of the API that say that it failed, by its metrics. */
  async function failures(): Promise<readonly string[]> {
    const response = await fetch(`${stream.service.internalUrl}/metrics`);
    return (await response.text())
      .split('\n')
      .filter((line) =>
        /^signalpost_(graphql_errors_total|http_requests_total\{.*status="5)/.test(line),
      );
  }

  it('H206: this version runs on the schema of the next one, before and after a restart', async function () {
    const { service } = stream;
    const next = [...migrations, NextVersion1999000000000];
    const steps = async () => {
      await flow();

      await migrate(service.database.url, {
        migrations: next,
        oldest: migrations.at(-1)?.name ?? '',
      });

      await flow();
      await Promise.all(service.workers.map((worker) => worker.end('SIGKILL')));
      await service.startWorker();
      await flow();
      expect(await failures()).to.deep.equal([]);
      await service.api.end();
      await service.startApi();
      await flow();
    };

    await stream.publishUntil(steps());

    const { lost } = await stream.close('an upgrade', { injected: 1 });
    expect(lost).to.equal(0);
  });

  it('H206: this version does not start on a schema that the next one keeps for itself', async () => {
    const { service } = stream;
    await service.database.query('update schema_compatibility set oldest = $1', [
      NextVersion1999000000000.name,
    ]);
    const refused = startProcess('src/main.js', service.environment);
    await eventually(() => expect(refused.running).to.equal(false), 'it ends');
    expect(refused.lines.join('\n')).to.include('A newer version has migrated the database');
  });
});

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

/** A migration waits at most 1 s for a lock, and sessions behind it wait as long. */
const longestMs = 4_000;

describe('a migration beside running processes, and a session that is idle in a transaction', function () {
  let stream: ApiEventStream;

  before(async () => (stream = await openApiEventStream({})));
  after(() => stream.drop());

  it('the migration blocks no reader and no writer while it waits, and names the session it waits for', async () => {
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
