import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { engineServerSettings } from '../../../src/domain/delivery/claim.js';
import { Claimer } from '../../../src/domain/delivery/claim-deliveries.js';
import { promoteDue } from '../../../src/domain/delivery/promote.js';
import { publishEvent } from '../../../src/domain/event/publish.js';
import { createClaimStore, ClaimManager } from '../../../workers/delivery/claim-manager.js';
import { processClock } from '../../../workers/clock.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import {
  insertAccount,
  insertEndpoint,
  end,
  endLeases,
  eventType,
  outcomes,
  untilLockIsAwaited,
} from '../../support/engine.js';
import { eventually } from '../../support/eventually.js';

const times = { leaseMs: 60_000, claimTimeoutMs: 5_000, startTimeoutMs: 5_000, graceMs: 0 };

describe('a process that cannot record for a while', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let claimManager: ClaimManager;
  let recorded = 0;

  /** The time that the clock of the process is ahead of the real one. */
  let passedMs = 0;

  before(async () => {
    testDatabase = await createTestDatabase();
    database = await testDatabase.open({ serverSettings: engineServerSettings });
    claimManager = new ClaimManager({
      store: createClaimStore(database),
      times,
      onRecorded: (_ended, result) => void (recorded += result.recorded.length),
      onRecordError: () => undefined,
      onDropped: () => undefined,
      onError: () => undefined,
      clock: { ...processClock, now: () => processClock.now() + passedMs },
    });
  });

  after(async () => {
    await claimManager.close();
    await testDatabase.drop();
  });

  it('keeps its claims until they are recorded, so no other process ends them', async () => {
    const account = await insertAccount(testDatabase);
    await insertEndpoint(testDatabase, account);

    const input = { type: eventType, subject: 's', data: {} };
    await database.transact((tx) => publishEvent(tx, account, input));

    const claimer = new Claimer({ lane: 'live', leaseMs: times.leaseMs });
    const capacity = { slots: 1, perEndpoint: 1, usedSlots: new Map<string, number>() };
    const [claim] = await claimManager.claim((token) =>
      claimer.claim(database.read, capacity, token),
    );
    const lock = await testDatabase.hold('lock table delivery in share mode');

    claimManager.resultWriter.add(end(claim!, outcomes.ok), 0);
    await untilLockIsAwaited(testDatabase);
    passedMs += times.leaseMs;
    await endLeases(testDatabase);
    await claimManager.promote();
    expect(await promoteDue(database.read)).to.include({ interrupted: 0 });
    await lock.release();
    await eventually(() => expect(recorded).to.equal(1), 'it is recorded');
    expect(await testDatabase.query('select from delivery')).to.have.length(1);
    expect(await testDatabase.query('select from pending_delivery')).to.have.length(0);
  });
});
