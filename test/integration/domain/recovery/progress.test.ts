import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { cancelPendingDeliveries } from '../../../../src/domain/delivery/cancel.js';
import { recordBatch } from '../../../../src/domain/delivery/recording.js';
import { getRecovery, listRecoveries } from '../../../../src/domain/recovery/recoveries.js';
import { runRecoveryStep } from '../../../../src/domain/recovery/run-step.js';
import { startRecovery } from '../../../../src/domain/recovery/change-recovery.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { claimAll, end, insertAccount, insertEndpoint, outcomes } from '../../../support/engine.js';
import { insertPastEvent } from '../../../support/recoveries.js';

describe('the progress of a recovery', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;
  let id: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ pool: 4 });
    account = await insertAccount(test);

    const endpointId = await insertEndpoint(test, account, `created_at = now() - interval '1 day'`);
    for (let place = 0; place < 6; place += 1) await insertPastEvent(test, account);

    const input = { endpointId, what: 'both' as const, idempotencyKey: 'key', ratePerSecond: 200 };
    ({ id } = await database.transact((tx) =>
      startRecovery(tx, account, { ...input, until: new Date(Date.now() - 120_000) }),
    ));
    await test.query(
      `update recovery set next_step_at = now(), credited_at = now() - interval '1 hour'`,
    );
    await runRecoveryStep(database.transact);
  });

  after(() => test.drop());

  const progress = async () => {
    const { missed, waiting, delivered, retrying, abandoned } = await getRecovery(
      database.read,
      account,
      id,
    );
    return { missed, waiting, delivered, retrying, abandoned };
  };

  it('H145: says what became of each delivery, after a retry too', async () => {
    const none = { missed: 6, waiting: 6, delivered: 0, retrying: 0, abandoned: 0 };
    expect(await progress()).to.deep.equal(none);

    const claims = await claimAll(database.read, { lane: 'recovery', slots: 5 });
    const [one, two, three, last, again] = claims;
    await recordBatch(database, [
      ...[one!, two!].map((claim) => end(claim, outcomes.ok)),
      end(three!, outcomes.down),
      end({ ...last!, attempt: 10 }, outcomes.down),
      end(again!, outcomes.down),
    ]);

    const some = { missed: 6, waiting: 1, delivered: 2, retrying: 2, abandoned: 1 };
    expect(await progress()).to.deep.equal(some);
    await test.query(`update pending_delivery set due_at = now(), ready = true where id = $1`, [
      again!.pendingDeliveryId,
    ]);

    const retried = await claimAll(database.read);
    await recordBatch(
      database,
      retried.map((claim) => end(claim, outcomes.ok)),
    );

    expect(await progress()).to.deep.equal({ ...some, delivered: 3, retrying: 1 });
  });

  it('H145: counts a cancelled delivery as abandoned if it failed, and no more if it was never sent', async () => {
    const [endpoint] = await test.query<{ id: string }>(
      'update endpoint set active = false returning id',
    );
    await database.transact((tx) => cancelPendingDeliveries(tx, [endpoint!.id]));
    const done = { missed: 5, waiting: 0, delivered: 3, retrying: 0, abandoned: 2 };
    expect(await progress()).to.deep.equal(done);
    const { data } = await listRecoveries(database.read, account, { limit: 20 });
    expect(data.map(({ delivered }) => delivered)).to.deep.equal([3]);
  });
});
