import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { readBacklog } from '../../../../src/domain/delivery/backlog.js';
import { engineServerSettings } from '../../../../src/domain/delivery/claim.js';
import {
  releaseIsolated,
  releaseIsolationLock,
  acquireIsolationLock,
} from '../../../../src/domain/delivery/isolation.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import type { Wakeup } from '../../../../src/domain/transaction/wakeup.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { insertAccount, insertEndpoint, claimAll, eventType } from '../../../support/engine.js';

describe('isolated deliveries', () => {
  let test: TestDatabase;
  let database: Database;
  let woken: Wakeup[];

  before(async () => {
    test = await createTestDatabase();
    const serverSettings = engineServerSettings;
    const wake = (wakeups: readonly Wakeup[]) => void woken.push(...wakeups);
    database = await test.open({ serverSettings, wake });
  });

  after(() => test.drop());
  beforeEach(() => (woken = []));

  it('counts isolated deliveries, and returns them to their former lanes', async () => {
    const account = await insertAccount(test);
    await insertEndpoint(test, account);

    const input = { type: eventType, subject: 's', data: {} };
    for (let count = 0; count < 5; count += 1) {
      await database.transact((tx) => publishEvent(tx, account, input));
    }

    await test.query(
      `update pending_delivery set lane = 'isolated', interruptions = 4
        where id in (select id from pending_delivery order by id limit 4)`,
    );

    // The first attempt of a replay, a dead-lettered one, and one that is being sent.
    await test.query(
      `update pending_delivery set replayed_from = 'whd_1' where id = (select min(id) from pending_delivery)`,
    );

    await test.query(
      `update pending_delivery set ready = false, dead_letter_reason = 'why'
        where id = (select id from pending_delivery order by id offset 3 limit 1)`,
    );

    const [sent] = await claimAll(database.read, { lane: 'isolated', slots: 1 });
    await test.query(
      `update pending_delivery set due_at = due_at - interval '1 minute' where id = $1`,
      [sent?.pendingDeliveryId],
    );

    expect(await readBacklog(database.read)).to.include({ isolated: 3, deadLettered: 1 });

    woken = [];
    expect(await database.transact(releaseIsolated)).to.equal(2);
    expect(await database.transact(releaseIsolated)).to.equal(0);

    const rows = await test.query<{ replay: boolean; lane: string; interruptions: number }>(
      `select replayed_from is not null as replay, lane, interruptions from pending_delivery
        where lane <> 'isolated' and id <> (select max(id) from pending_delivery)`,
    );
    for (const { replay, lane, interruptions } of rows) {
      expect({ lane, interruptions }).to.deep.equal({
        lane: replay ? 'replay' : 'live',
        interruptions: 0,
      });
    }

    expect(rows).to.have.length(2);
    expect(woken.map(({ kind }) => kind)).to.have.members([
      ...new Set(rows.map(({ replay }) => (replay ? 'replay' : 'due'))),
    ]);
    expect(await readBacklog(database.read)).to.include({ isolated: 1, deadLettered: 1 });
  });
});

const one = 2 ** 48 - 2;
const other = 7;

describe('the isolation lock', () => {
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ serverSettings: engineServerSettings });
  });

  after(() => test.drop());
  beforeEach(() => test.query(`update isolation_lock set holder = null, until = '-infinity'`));

  const take = (holder: number) => acquireIsolationLock(database.read, holder, 30_000);
  const end = (holder: number, restMs: number) =>
    releaseIsolationLock(database.read, holder, restMs);
  const pass = (ms: number) =>
    test.query(`update isolation_lock set until = until - $1 * interval '1 millisecond'`, [ms]);

  it('gives the isolation lock to one process at a time, and to its holder again', async () => {
    const taken = await Promise.all([take(one), take(other)]);
    expect(taken.filter((isTaken) => isTaken)).to.have.length(1);
    const [holder, loser] = taken[0] ? [one, other] : [other, one];
    expect(await take(holder)).to.equal(true);
    expect(await take(loser)).to.equal(false);
  });

  it('gives the isolation lock to any process when the cooldown is over', async () => {
    await take(one);
    await end(one, 10_000);
    expect([await take(one), await take(other)]).to.deep.equal([false, false]);
    await pass(8_000);
    expect(await take(other), 'a little too early').to.equal(false);
    await pass(3_000);
    expect(await take(other)).to.equal(true);
  });

  it('lets the isolation lock expire when its holder is gone', async () => {
    await take(one);
    await pass(28_000);
    expect(await take(other), 'a little too early').to.equal(false);
    await pass(3_000);
    expect(await take(other)).to.equal(true);
    await end(one, 0);
    expect(await take(one), 'it is not his to end any more').to.equal(false);
  });

  it('does not hold the isolation lock for the hour by which PostgreSQL’s clock was set back', async () => {
    await take(one);
    await pass(-3_600_000);
    expect(await take(other)).to.equal(true);
    await pass(2_000);
    expect(await take(one), 'it is the other one’s now').to.equal(false);
  });
});
