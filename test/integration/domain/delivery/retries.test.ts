import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { cancelStale } from '../../../../src/domain/delivery/cancel.js';
import { type Claim, engineServerSettings } from '../../../../src/domain/delivery/claim.js';
import { recordResults } from '../../../../src/domain/delivery/recording.js';
import {
  deleteEndpoint,
  replaceEventSubscriptions,
  updateEndpoint,
} from '../../../../src/domain/endpoint/change-endpoint.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import type { Tx } from '../../../../src/domain/transaction/tx.js';
import type { Wakeup } from '../../../../src/domain/transaction/wakeup.js';
import { createTestDatabase, type TestDatabase, testRules } from '../../../support/database.js';
import {
  insertAccount,
  insertEndpoint,
  claimAll,
  end,
  eventType,
  outcomes,
  untilLockIsAwaited,
} from '../../../support/engine.js';

describe('retries', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let account: string;
  let endpoint: string;
  let woken: Wakeup[] = [];

  before(async () => {
    testDatabase = await createTestDatabase();
    database = await testDatabase.open({
      // One test records more at once than a worker does, which takes a busy machine long.
      statementTimeoutMs: 60_000,
      serverSettings: engineServerSettings,
      rules: testRules({ random: Math.random }),
      wake: (wakeups) => void woken.push(...wakeups),
    });
  });

  after(() => testDatabase.drop());

  beforeEach(async () => {
    await testDatabase.query(
      'truncate pending_delivery, delivery, event, notice, endpoint_secret, endpoint',
    );
    account = await insertAccount(testDatabase);
    endpoint = await insertEndpoint(testDatabase, account);
  });

  const publish = (tx: Tx) =>
    publishEvent(tx, account, { type: eventType, subject: 's', data: {} });
  const records = () =>
    testDatabase.query('select attempt, status from delivery order by attempt, status');
  const pendingDeliveries = () => testDatabase.query('select id from pending_delivery');

  /** Claims the second attempt of an event whose first one failed. */
  const claimSecondAttempt = async (): Promise<Claim> => {
    await database.transact(publish);
    const [first] = await claimAll(database.read);
    await database.transact((tx) => recordResults(tx, [end(first!, outcomes.down)]));
    await testDatabase.query(
      "update pending_delivery set ready = true, due_at = date_trunc('milliseconds', now())",
    );
    const [second] = await claimAll(database.read);
    return second!;
  };

  /** What cancels the pending deliveries of an endpoint; each is one transaction. */
  const endings: Readonly<Record<string, () => Promise<(tx: Tx) => Promise<unknown>>>> = {
    deactivated: () =>
      Promise.resolve((tx) =>
        updateEndpoint(tx, account, endpoint, { active: false }, { mayChangeEmail: true }),
      ),
    unsubscribed: () =>
      Promise.resolve((tx) => replaceEventSubscriptions(tx, account, endpoint, ['invoice.issued'])),
    deleted: () => Promise.resolve((tx) => deleteEndpoint(tx, account, endpoint)),
    disabled: async () => {
      await database.transact(publish);
      const [last] = await claimAll(database.read);
      return (tx) => recordResults(tx, [end(last!, outcomes.gone)]);
    },
  };

  for (const [how, prepare] of Object.entries(endings)) {
    for (const order of ['before', 'after'] as const) {
      it(`H61: abandons a failed delivery of an endpoint that is ${how} ${order} the failure is recorded`, async () => {
        const claim = await claimSecondAttempt();
        const cancel = await prepare();
        const fail = (tx: Tx) => recordResults(tx, [end(claim, outcomes.down)]);
        const [first, second] = order === 'before' ? [cancel, fail] : [fail, cancel];
        let other: Promise<unknown> = Promise.resolve();
        await database.transact(async (tx) => {
          await first(tx);
          other = database.transact(second);
          await untilLockIsAwaited(testDatabase);
        });

        await other;

        const gone = how === 'disabled' ? [{ attempt: 1, status: 'abandoned' }] : [];

        expect(await records()).to.deep.equal([
          ...gone,
          { attempt: 1, status: 'failed' },
          { attempt: 2, status: 'abandoned' },
        ]);

        expect(await pendingDeliveries()).to.deep.equal([]);
      });
    }
  }

  it('H61, H67: cancels a delivery without a record when its endpoint is deactivated during the publish', async () => {
    const switchOff = (tx: Tx) =>
      updateEndpoint(tx, account, endpoint, { active: false }, { mayChangeEmail: true });
    await database.transact(async (tx) => {
      await publish(tx);
      // Publishing holds no endpoint, so this does not wait, and does not see the pending delivery.
      await database.transact(switchOff);
    });
    expect(await pendingDeliveries()).to.have.length(1);
    expect(await claimAll(database.read)).to.deep.equal([]);
    await database.transact((tx) => cancelStale(tx, ''));
    expect([await pendingDeliveries(), await records()]).to.deep.equal([[], []]);
  });

  it('H63: spreads 5,000 retries of the same moment, each within a tenth of its delay', async () => {
    await database.transact(publish);

    await testDatabase.query(
      `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at,
                          attempt, max_attempts, test, created_at)
       select 'pdl_' || lpad(g::text, 24, '0'), account_id, endpoint_id, event_id, event_type, lane,
              true, due_at, attempt, max_attempts, test, created_at
         from pending_delivery, generate_series(1, 4999) g`,
    );

    await testDatabase.query('update pending_delivery set attempt = 2');

    const claims = await claimAll(database.read, { slots: 5_000, perEndpoint: 5_000 });
    const ended = claims.map((claim) => end(claim, outcomes.down));

    woken = [];
    await database.transact((tx) => recordResults(tx, ended));

    const endedAt = ended[0]!.startedAt.getTime() + ended[0]!.durationMs;
    const due = await testDatabase.query<{ due: Date }>(
      'select due_at as due from pending_delivery',
    );
    const delays = due.map((row) => row.due.getTime() - endedAt);
    expect(delays).to.have.length(5_000);
    expect(Math.min(...delays)).to.be.within(270_000, 271_000);
    expect(Math.max(...delays)).to.be.within(329_000, 330_000);

    const perSecond = new Map<number, number>();

    for (const delay of delays) {
      const second = Math.floor((delay - 270_000) / 1_000);
      perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
    }

    expect(perSecond.size).to.be.within(60, 61);
    expect(Math.max(...perSecond.values())).to.be.below(3 * (5_000 / 60));

    // Workers are woken once per second, not once per pending delivery.
    expect(woken).to.have.length.within(60, 62);
  });
});
