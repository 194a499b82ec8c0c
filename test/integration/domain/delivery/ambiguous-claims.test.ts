import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { engineServerSettings } from '../../../../src/domain/delivery/claim.js';
import { Claimer } from '../../../../src/domain/delivery/claiming.js';
import { promoteDue } from '../../../../src/domain/delivery/promote.js';
import { releaseUnconfirmed } from '../../../../src/domain/delivery/leases.js';
import { recordResults } from '../../../../src/domain/delivery/recording.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import type { Read } from '../../../../src/domain/tx.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import {
  insertAccount,
  insertEndpoint,
  claimAll,
  emptyEngine,
  end,
  endLeases,
  eventType,
  outcomes,
  untilLockIsAwaited,
} from '../../../support/engine.js';

describe('ambiguous claims', () => {
  let testDatabase: TestDatabase;
  let database: Database;

  before(async () => {
    testDatabase = await createTestDatabase();
    database = await testDatabase.open({ serverSettings: engineServerSettings });
  });

  after(() => testDatabase.drop());

  beforeEach(async () => {
    await emptyEngine(testDatabase);
    const account = await insertAccount(testDatabase);
    await insertEndpoint(testDatabase, account);
    await database.transact(async (tx) => {
      for (const data of [{ place: 1 }, { place: 2 }]) {
        await publishEvent(tx, account, { type: eventType, subject: 's', data, test: false });
      }
    });
  });

  const claimUnder = (read: Read, token: number, slots = 10) =>
    new Claimer('live', 60_000).claim(
      read,
      { slots, perEndpoint: 10, inFlight: new Map<string, number>() },
      token,
    );

  const leases = () => testDatabase.query('select token::float8 from lease');
  const interruptions = () =>
    testDatabase.query('select distinct interruptions from pending_delivery');

  it('are given back whole, in their places and not counted as interrupted', async () => {
    const [first] = await claimUnder(database.read, 7, 1);
    await claimUnder(database.read, 8, 1);
    expect(await releaseUnconfirmed(database.read, [7, 8, 9])).to.have.deep.members([
      { token: 7, pendingDeliveries: 1 },
      { token: 8, pendingDeliveries: 1 },
    ]);
    expect(await leases()).to.deep.equal([]);
    const [next] = await claimAll(database.read, { slots: 1 });
    expect(next!.pendingDeliveryId).to.equal(first!.pendingDeliveryId);
    expect(await interruptions()).to.deep.equal([{ interruptions: 0 }]);
  });

  it('leave other claims their leases', async () => {
    const [other] = await claimUnder(database.read, 7, 1);
    await claimUnder(database.read, 8);
    await releaseUnconfirmed(database.read, [8]);
    expect(await leases()).to.deep.equal([{ token: 7 }]);
    const { recorded } = await database.transact((tx) =>
      recordResults(tx, [end(other!, outcomes.ok)]),
    );
    expect(recorded).to.have.length(1);
  });

  it('whose lease expired stay with the worker that has them now', async () => {
    await claimUnder(database.read, 7);
    await endLeases(testDatabase);
    await promoteDue(database.read);
    await claimUnder(database.read, 8);
    expect(await releaseUnconfirmed(database.read, [7])).to.deep.equal([]);
    expect(await leases()).to.deep.equal([{ token: 8 }]);
    expect(await claimAll(database.read)).to.deep.equal([]);
  });

  it('and are not carried out yet are found by a later call', async () => {
    let claimed: () => void = () => undefined;
    let commit: () => void = () => undefined;
    const isClaimed = new Promise<void>((resolve) => (claimed = resolve));
    const mayCommit = new Promise<void>((resolve) => (commit = resolve));
    const underWay = database.transact(async (tx) => {
      await claimUnder(tx, 7);
      claimed();
      await mayCommit;
    });

    await isClaimed;
    expect(await releaseUnconfirmed(database.read, [7])).to.deep.equal([]);
    commit();
    await underWay;
    expect(await releaseUnconfirmed(database.read, [7])).to.deep.equal([
      { token: 7, pendingDeliveries: 2 },
    ]);
    expect(await claimAll(database.read)).to.have.length(2);
  });

  it('never leave a pending delivery whose token has no lease, even while rows are locked', async () => {
    const [one] = await claimUnder(database.read, 7);
    const held = await testDatabase.hold(
      `select from pending_delivery where id = '${one!.pendingDeliveryId}' for update`,
    );
    const released = releaseUnconfirmed(database.read, [7]);

    await untilLockIsAwaited(testDatabase);
    expect(await leases()).to.deep.equal([{ token: 7 }]);
    expect(await promoteDue(database.read)).to.include({ interrupted: 0 });
    await held.release();
    await released;
    expect(await leases()).to.deep.equal([]);

    const orphaned = await testDatabase.query(
      `select from pending_delivery c where c.lease_token is not null
          and not exists (select from lease l where l.token = c.lease_token)`,
    );

    expect(orphaned).to.deep.equal([]);
    expect(await claimAll(database.read)).to.have.length(2);
  });
});
