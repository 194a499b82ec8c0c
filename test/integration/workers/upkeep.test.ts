import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { readBacklog } from '../../../src/domain/delivery/backlog.js';
import { engineServerSettings } from '../../../src/domain/delivery/claim.js';
import { publishEvent } from '../../../src/domain/event/publish.js';
import { Upkeep } from '../../../workers/upkeep.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { arrangeAccount, arrangeEndpoint, claimAll, eventType } from '../../support/engine.js';
import { eventually } from '../../support/eventually.js';

describe('upkeep', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ serverSettings: engineServerSettings });
    account = await arrangeAccount(test);
  });
  after(() => test.drop());

  it('deletes what has expired and drops what is past retention, and nothing else', async () => {
    await test.query(
      `insert into publish_key (account_id, key, fingerprint, event_id, expires_at)
       select $1, 'k' || i, '', 'evt_1', now() + (i - 1500) * interval '1 minute'
         from generate_series(1, 2000) i`,
      [account],
    );
    await test.query(
      `insert into stored_response (account_id, key, fingerprint, status, body, expires_at, created_at)
       select $1, 'k' || i, '', 200, '', now() + (i - 50) * interval '1 minute', now()
         from generate_series(1, 100) i`,
      [account],
    );
    await test.query(
      `create table event_20200101 partition of event
         for values from ('evt_0') to ('evt_00000000000')`,
    );
    const dropped: string[] = [];
    const faults: unknown[] = [];
    const upkeep = new Upkeep({
      transact: database.transact,
      firstWithinMs: 1,
      onDropped: (tables) => dropped.push(...tables),
      onError: (error) => faults.push(error),
    });
    await eventually(async () => {
      const [row] = await test.query<{ keys: number; responses: number }>(
        `select (select count(*)::int from publish_key) as keys,
                (select count(*)::int from stored_response) as responses`,
      );
      expect(row).to.deep.equal({ keys: 500, responses: 50 });
      expect(dropped).to.deep.equal(['event_20200101']);
    }, 'all expired rows are gone');
    await upkeep.stop();
    expect(faults).to.deep.equal([]);
  });
});

describe('backlog', () => {
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ serverSettings: engineServerSettings });
  });
  after(() => test.drop());

  it('tells what is due, what waits, and for how long the oldest has been due', async () => {
    expect(await readBacklog(database.read)).to.deep.equal({
      ready: 0,
      waiting: 0,
      oldestDueSeconds: 0,
      parked: 0,
    });
    const account = await arrangeAccount(test);
    await arrangeEndpoint(test, account);
    await arrangeEndpoint(test, account);
    await database.transact((tx) =>
      publishEvent(tx, account, { type: eventType, subject: 's', data: {}, test: false }),
    );
    const [claim] = await claimAll(database.read, { slots: 1 });
    await test.query(`update chain set due_at = now() - interval '90 seconds' where id <> $1`, [
      claim!.chainId,
    ]);
    const backlog = await readBacklog(database.read);
    expect(backlog).to.include({ ready: 1, waiting: 1 });
    expect(backlog.oldestDueSeconds).to.be.within(90, 95);
  });
});
