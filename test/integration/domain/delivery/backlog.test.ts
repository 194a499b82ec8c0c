import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import {
  readAccountLag,
  readBacklog,
  readLaneBacklogs,
} from '../../../../src/domain/delivery/backlog.js';
import { engineServerSettings } from '../../../../src/domain/delivery/claim.js';
import { recordBatch, recordResults } from '../../../../src/domain/delivery/recording.js';
import {
  updateEndpoint,
  setEndpointRateLimit,
} from '../../../../src/domain/endpoint/change-endpoint.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import {
  insertAccount,
  insertEndpoint,
  claimAll,
  end,
  eventType,
  outcomes,
} from '../../../support/engine.js';

describe('the backlog of pending deliveries', () => {
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ serverSettings: engineServerSettings });
  });

  after(() => test.drop());

  it('counts due and waiting pending deliveries, and says how long the oldest has been due', async () => {
    expect(await readBacklog(database.read)).to.deep.equal({
      ready: 0,
      claimed: 0,
      waiting: 0,
      isolated: 0,
      oldestDueSeconds: 0,
      oldestBacklogSeconds: 0,
      deadLettered: 0,
    });

    const account = await insertAccount(test);
    await insertEndpoint(test, account);
    await insertEndpoint(test, account);
    await database.transact((tx) =>
      publishEvent(tx, account, { type: eventType, subject: 's', data: {}, test: false }),
    );
    await insertEndpoint(test, account);
    await database.transact((tx) =>
      publishEvent(tx, account, { type: eventType, subject: 's', data: {}, test: false }),
    );

    const [claim, retried] = await claimAll(database.read, { slots: 2 });
    await database.transact((tx) => recordResults(tx, [end(retried!, outcomes.down)]));

    await test.query(
      `update pending_delivery set due_at = date_trunc('milliseconds', now()) - case when id = $1 then '3 hours' else '90 s' end::interval
        where ready`,
      [claim!.pendingDeliveryId],
    );

    const backlog = await readBacklog(database.read);
    expect(backlog).to.include({ ready: 3, claimed: 1, waiting: 1 });
    expect(backlog.oldestDueSeconds).to.be.within(90, 150);
  });

  it('counts only pending deliveries that nothing holds up as late', async () => {
    await test.query('truncate pending_delivery, endpoint_secret, endpoint, notice');

    const account = await insertAccount(test);
    const healthy = await insertEndpoint(test, account);

    for (let others = 0; others < 4; others += 1) {
      await insertEndpoint(test, account);
    }

    const publish = () =>
      database.transact((tx) =>
        publishEvent(tx, account, { type: eventType, subject: 's', data: {}, test: false }),
      );

    await publish();

    await test.query(
      `update pending_delivery set due_at = date_trunc('milliseconds', now()) - interval '1 hour' where endpoint_id <> $1`,
      [healthy],
    );

    const changes = [
      'active = false',
      'failing_since = now()',
      'cancelling_since = now()',
      'deleted_at = now()',
    ];
    for (const [index, change] of changes.entries()) {
      await test.query(
        `update endpoint set ${change}
          where id = (select id from endpoint where id <> $1 order by id offset $2 limit 1)`,
        [healthy, index],
      );
    }

    const late = await readBacklog(database.read);
    expect(late.oldestDueSeconds).to.be.below(60);
    expect(late.oldestBacklogSeconds).to.be.within(3_600, 3_660);

    await test.query(
      `update pending_delivery set due_at = date_trunc('milliseconds', now()) - interval '2 hours', lane = 'isolated' where endpoint_id = $1`,
      [healthy],
    );

    const isolated = await readBacklog(database.read);
    expect(isolated.oldestDueSeconds).to.equal(0);
    expect(isolated.oldestBacklogSeconds).to.be.within(7_200, 7_260);
  });

  it('H212: counts the lag of a waiting delivery from when its endpoint recovers or loses its rate limit', async () => {
    await test.query('truncate pending_delivery, endpoint_secret, endpoint, notice');

    const account = await insertAccount(test);
    const endpoint = await insertEndpoint(test, account);
    const publish = () =>
      database.transact((tx) =>
        publishEvent(tx, account, { type: eventType, subject: 's', data: {}, test: false }),
      );

    /** What has been due for five hours, by each reading. */
    const ages = async () => {
      await publish();
      await publish();
      await test.query(
        `update pending_delivery set due_at = date_trunc('milliseconds', now()) - interval '5 hours'`,
      );
      const lanes = await readLaneBacklogs(database.read);
      return [
        await readBacklog(database.read),
        await readAccountLag(database.read, account),
        lanes.find(({ lane }) => lane === 'live'),
      ];
    };

    const fail = () =>
      test.query(
        `update endpoint set failing_since = now() - interval '5 hours', failure_count = 7`,
      );

    const expectHeldUp = async () => {
      for (const age of await ages()) expect(age).to.include({ oldestDueSeconds: 0 });
    };

    /** Less than the time for which they have been due, on a machine however slow. */
    const expectBegun = async () => {
      for (const age of await ages()) {
        expect(age?.oldestDueSeconds).to.be.below(3_600);
        expect(age?.oldestBacklogSeconds).to.be.at.least(18_000);
      }
    };

    for (const age of await ages()) expect(age?.oldestDueSeconds).to.be.at.least(18_000);
    await fail();
    await expectHeldUp();

    const [claim] = await claimAll(database.read, { slots: 1 });
    await recordBatch(database, [end(claim!, outcomes.ok)]);
    await expectBegun();

    await test.query('update endpoint set resumed_at = null');
    await fail();
    await expectHeldUp();

    const url = 'https://receiver.example/moved';
    await database.transact((tx) =>
      updateEndpoint(tx, account, endpoint, { url }, { mayChangeEmail: false }),
    );
    await expectBegun();

    await test.query('update endpoint set resumed_at = null');
    await database.transact((tx) => setEndpointRateLimit(tx, account, endpoint, 5));
    await expectHeldUp();
    await database.transact((tx) => setEndpointRateLimit(tx, account, endpoint, null));
    await expectBegun();

    // Any other change keeps the time.
    await test.query('update endpoint set resumed_at = null');
    await database.transact((tx) =>
      updateEndpoint(tx, account, endpoint, { description: 'x' }, { mayChangeEmail: false }),
    );
    for (const age of await ages()) expect(age?.oldestDueSeconds).to.be.at.least(18_000);
  });
});
