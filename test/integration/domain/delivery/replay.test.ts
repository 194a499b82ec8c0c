import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { engineServerSettings } from '../../../../src/domain/delivery/claim.js';
import { cancelPendingDeliveries } from '../../../../src/domain/delivery/cancel.js';
import { promoteDue } from '../../../../src/domain/delivery/promote.js';
import {
  startReplay,
  endedReplayError,
  readReplays,
  replayChannel,
} from '../../../../src/domain/delivery/replay.js';
import { recordResults } from '../../../../src/domain/delivery/recording.js';
import { DomainError } from '../../../../src/domain/errors.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { makeId, timestampOf } from '../../../../src/domain/values/id.js';
import type { Wakeup } from '../../../../src/domain/transaction/wakeup.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { eventually } from '../../../support/eventually.js';
import { NotificationListener } from '../../../../src/database/connection.js';
import {
  insertAccount,
  insertEndpoint,
  claimAll,
  end,
  eventType,
  outcomes,
  untilLockIsAwaited,
} from '../../../support/engine.js';

describe('replays', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let account: string;
  let delivery: string;
  let woken: Wakeup[] = [];

  before(async () => {
    testDatabase = await createTestDatabase();
    database = await testDatabase.open({
      serverSettings: engineServerSettings,
      wake: (wakeups) => void woken.push(...wakeups),
    });
  });

  after(() => testDatabase.drop());

  beforeEach(async () => {
    await testDatabase.query(
      'truncate pending_delivery, delivery, event, notice, endpoint_secret, endpoint',
    );
    account = await insertAccount(testDatabase);
    await insertEndpoint(testDatabase, account);
    await database.transact((tx) =>
      publishEvent(tx, account, { type: eventType, subject: 's', data: {} }),
    );
    const attempt = end((await claimAll(database.read))[0]!, outcomes.ok);
    await database.transact((tx) => recordResults(tx, [attempt]));
    delivery = attempt.deliveryId;
    woken = [];
  });

  const begin = () => database.transact((tx) => startReplay(tx, account, delivery));
  const refusal = async (): Promise<DomainError> => {
    try {
      await begin();
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
    throw new Error('it began');
  };

  const claimReplay = async () => (await claimAll(database.read, { lane: 'replay' }))[0]!;

  it('H76, H77: sends the same event again, first in the replay lane, then on the schedule', async () => {
    const { pendingDeliveryId: id } = await begin();
    expect(woken).to.deep.equal([{ kind: 'replay' }]);
    expect(await claimAll(database.read)).to.deep.equal([]);

    const claim = await claimReplay();
    expect(claim).to.include({
      pendingDeliveryId: id,
      attempt: 1,
      maxAttempts: 10,
      replayedFrom: delivery,
    });

    expect(await readReplays(database.read, [id])).to.deep.equal(new Map());

    const attempt = end(claim, outcomes.down);
    await database.transact((tx) => recordResults(tx, [attempt]));

    const result = (await readReplays(database.read, [id])).get(id);
    if (result?.kind !== 'recorded') throw new Error('it has not settled');

    expect(result.delivery).to.include({ id: attempt.deliveryId, attempt: 1, status: 'failed' });
    expect(result.delivery).to.include({ replayedFrom: delivery, eventId: claim.event.id });
    await testDatabase.query(`update pending_delivery set due_at = now() - interval '1 second'`);
    expect(await promoteDue(database.read)).to.deep.include({ live: 1, replays: 0 });
    expect((await claimAll(database.read))[0]).to.include({ attempt: 2, replayedFrom: delivery });
  });

  it('H76: finds the result of a replay even if the clock of its worker lags behind', async () => {
    const { pendingDeliveryId: id } = await begin();
    const lagging = makeId('whd', new Date(timestampOf(id).getTime() - 60_000));
    const attempt = { ...end(await claimReplay(), outcomes.ok), deliveryId: lagging };
    await database.transact((tx) => recordResults(tx, [attempt]));
    const result = (await readReplays(database.read, [id])).get(id);
    expect(result).to.deep.include({ kind: 'recorded' });
  });

  it('H76: notifies the waiting API of a batch with one signal', async () => {
    let signals = 0;
    const listener = new NotificationListener({
      url: testDatabase.url,
      channels: { [replayChannel]: () => void (signals += 1) },
      onError: () => undefined,
    });
    try {
      await eventually(() => expect(signals).to.equal(1), 'the listener listens');
      await begin();
      const claim = await claimReplay();
      await database.transact((tx) => recordResults(tx, [end(claim, outcomes.ok)]));
      await eventually(() => expect(signals).to.equal(2), 'the signal arrives');
    } finally {
      await listener.close();
    }
  });

  it('H78: replays a replay, and a success too', async () => {
    await begin();
    const attempt = end(await claimReplay(), outcomes.ok);
    await database.transact((tx) => recordResults(tx, [attempt]));
    delivery = attempt.deliveryId;
    await begin();
    expect(await claimReplay()).to.include({ replayedFrom: delivery });
  });

  it('H68: marks the replay of a test delivery as a test', async () => {
    await testDatabase.query('update delivery set test = true');
    await begin();
    expect(await claimReplay()).to.include({ test: true, maxAttempts: 1 });
  });

  it('H79: refuses to replay a delivery that the account does not have', async () => {
    delivery = makeId('whd', new Date());
    expect(await refusal()).to.include({ code: 'not_found' });
    delivery = (await testDatabase.query<{ id: string }>('select id from delivery'))[0]!.id;
    account = await insertAccount(testDatabase);
    expect(await refusal()).to.include({ code: 'not_found' });
  });

  it('H79: refuses a replay to an endpoint that no longer takes the event', async () => {
    await testDatabase.query('update endpoint set active = false');
    expect(await refusal()).to.include({ code: 'endpoint_inactive' });
    await testDatabase.query(`update endpoint set event_types = '{other.type}'`);
    expect((await refusal()).errors[0]).to.include({ code: 'event_type_not_subscribed' });
    await testDatabase.query('update endpoint set deleted_at = now()');
    const deleted = await refusal();
    expect(deleted).to.include({ code: 'delivery_not_replayable' });
    expect(deleted.errors[0]).to.include({ code: 'endpoint_deleted' });
  });

  it('H66: refuses to replay an event older than 30 days', async () => {
    await testDatabase.query(`update event set created_at = now() - interval '30 days 1 second'`);
    const expired = await refusal();
    expect(expired).to.include({ code: 'delivery_not_replayable' });
    expect(expired.errors[0]).to.include({ code: 'payload_expired' });
  });

  it('H76, H79: refuses a replay while an attempt is in flight or another replay is pending', async () => {
    await begin();
    expect(await refusal()).to.include({ code: 'delivery_in_progress', retryAfterSeconds: 15 });
    const claim = await claimReplay();
    expect(await refusal()).to.include({ code: 'delivery_in_progress' });
    await database.transact((tx) => recordResults(tx, [end(claim, outcomes.down)]));
    // A scheduled retry is not on the wire.
    await begin();
  });

  it('H76: starts only one of two simultaneous replays', async () => {
    let second: Promise<DomainError | undefined> = Promise.resolve(undefined);
    await database.transact(async (tx) => {
      await startReplay(tx, account, delivery);
      second = refusal();
      await untilLockIsAwaited(testDatabase);
    });
    expect(await second).to.include({ code: 'delivery_in_progress' });
  });

  it('H76: ends a replay that is cancelled before its first attempt, and says why', async () => {
    const { pendingDeliveryId: id } = await begin();
    await testDatabase.query('update endpoint set active = false');
    const [endpoint] = await testDatabase.query<{ id: string }>('select id from endpoint');
    await database.transact((tx) => cancelPendingDeliveries(tx, [endpoint!.id]));
    expect((await readReplays(database.read, [id])).get(id)).to.deep.equal({
      kind: 'ended',
    });
    const why = () => endedReplayError(database.read, account, delivery);
    expect(await why()).to.include({ code: 'endpoint_inactive' });
    await testDatabase.query('update endpoint set active = true');
    expect(await why()).to.include({ code: 'replay_unsettled', retryAfterSeconds: 5 });
  });
});
