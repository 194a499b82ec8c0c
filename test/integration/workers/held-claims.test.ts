import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { engineServerSettings } from '../../../src/domain/delivery/claim.js';
import { Claimer } from '../../../src/domain/delivery/claimer.js';
import { promoteDue } from '../../../src/domain/delivery/promote.js';
import { publishEvent } from '../../../src/domain/event/publish.js';
import { isUnavailable } from '../../../src/domain/unavailable.js';
import { claimStoreIn } from '../../../workers/claim-store.js';
import { processClock } from '../../../workers/clock.js';
import { HeldClaims } from '../../../workers/held-claims.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import {
  arrangeAccount,
  arrangeEndpoint,
  end,
  endLeases,
  eventType,
  outcomes,
  somebodyWaits,
} from '../../support/engine.js';
import { eventually } from '../../support/eventually.js';

const times = { leaseMs: 60_000, latestClaimMs: 5_000, latestStartMs: 5_000, graceMs: 0 };

describe('claims that a process holds, beside a lock on the records', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let held: HeldClaims;
  let settled = 0;
  /** What has passed for the process besides. */
  let passedMs = 0;

  before(async () => {
    testDatabase = await createTestDatabase();
    database = await testDatabase.open({ serverSettings: engineServerSettings });
    held = new HeldClaims({
      store: claimStoreIn(database),
      times,
      isUnavailable,
      onSettled: (_ended, result) => void (settled += result.settled.length),
      onSettleError: () => undefined,
      onDropped: () => undefined,
      onError: () => undefined,
      clock: { ...processClock, now: () => processClock.now() + passedMs },
    });
  });
  after(async () => {
    await held.close();
    await testDatabase.drop();
  });

  it('last until they are recorded: no other process may end them', async () => {
    const account = await arrangeAccount(testDatabase);
    await arrangeEndpoint(testDatabase, account);
    const input = { type: eventType, subject: 's', data: {} };
    await database.transact((tx) => publishEvent(tx, account, input));
    const claimer = new Claimer('live', times.leaseMs);
    const room = { slots: 1, perEndpoint: 1, inFlight: new Map<string, number>() };
    const [claim] = await held.claim((token) => claimer.claim(database.read, room, token));
    const lock = await testDatabase.hold('lock table delivery in share mode');
    held.settler.add(end(claim!, outcomes.ok), 0);
    await somebodyWaits(testDatabase);
    passedMs += times.leaseMs;
    await endLeases(testDatabase);
    await held.promote();
    expect(await promoteDue(database.read)).to.include({ interrupted: 0 });
    await lock.release();
    await eventually(() => expect(settled).to.equal(1), 'it is recorded');
    expect(await testDatabase.query('select from delivery')).to.have.length(1);
    expect(await testDatabase.query('select from chain')).to.have.length(0);
  });
});
