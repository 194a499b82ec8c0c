import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import {
  cancelFromBacklog,
  cancelPendingDeliveries,
  cancelStale,
  nextPendingCancellation,
} from '../../../../src/domain/delivery/cancel.js';
import { engineServerSettings } from '../../../../src/domain/delivery/claim.js';
import { recordResults } from '../../../../src/domain/delivery/recording.js';
import {
  replaceEventSubscriptions,
  updateEndpoint,
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

describe('cancelling pending deliveries', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let account: string;
  let endpoint: string;
  let abandoned: number[];

  before(async () => {
    testDatabase = await createTestDatabase();
    database = await testDatabase.open({
      serverSettings: engineServerSettings,
      abandoned: (records) => void abandoned.push(records),
    });
  });

  after(() => testDatabase.drop());

  beforeEach(async () => {
    await testDatabase.query(
      'truncate pending_delivery, delivery, event, notice, endpoint_secret, endpoint, idempotency_record',
    );
    abandoned = [];
    account = await insertAccount(testDatabase);
    endpoint = await insertEndpoint(testDatabase, account);
  });

  const publish = () =>
    database.transact((tx) =>
      publishEvent(tx, account, { type: eventType, subject: 's', data: {} }),
    );

  const pendingDeliveries = async () =>
    (await testDatabase.query('select id from pending_delivery')).length;
  const off = () => testDatabase.query('update endpoint set active = false');

  it('H61: cancels scheduled pending deliveries and abandons their latest failed record', async () => {
    await publish();
    const [claim] = await claimAll(database.read);
    await database.transact((tx) => recordResults(tx, [end(claim!, outcomes.down)]));
    await publish();
    await off();
    expect(await database.transact((tx) => cancelPendingDeliveries(tx, [endpoint]))).to.equal(2);
    expect(await pendingDeliveries()).to.equal(0);
    expect(await testDatabase.query('select status from delivery')).to.deep.equal([
      { status: 'abandoned' },
    ]);
  });

  it('abandons no record of another account, even one with the same id', async () => {
    await publish();

    const [claim] = await claimAll(database.read);
    await database.transact((tx) => recordResults(tx, [end(claim!, outcomes.down)]));

    await testDatabase.query(
      `insert into delivery
       select (jsonb_populate_record(d, '{"account_id": "acc_other"}')).* from delivery d`,
    );

    await off();
    await database.transact((tx) => cancelPendingDeliveries(tx, [endpoint]));

    expect(
      await testDatabase.query('select account_id, status from delivery order by status'),
    ).to.deep.equal([
      { account_id: account, status: 'abandoned' },
      { account_id: 'acc_other', status: 'failed' },
    ]);
  });

  it('counts the records that it abandons, after the commit', async () => {
    await publish();
    await publish();

    const claims = await claimAll(database.read);
    const failed = claims.map((claim) => end(claim, outcomes.down));
    await database.transact((tx) => recordResults(tx, failed));
    await publish();
    await off();

    const undone = database.transact(async (tx) => {
      await cancelPendingDeliveries(tx, [endpoint]);
      throw new Error('undone');
    });

    expect(await undone.catch((error: unknown) => String(error))).to.equal('Error: undone');
    expect(abandoned).to.deep.equal([]);
    await database.transact((tx) => cancelPendingDeliveries(tx, [endpoint]));
    expect(abandoned).to.deep.equal([2]);
  });

  it('keeps pending deliveries that the endpoint still subscribes to and those in flight', async () => {
    await publish();
    expect(await database.transact((tx) => cancelPendingDeliveries(tx, [endpoint]))).to.equal(0);
    await claimAll(database.read);
    await off();
    expect(await database.transact((tx) => cancelPendingDeliveries(tx, [endpoint]))).to.equal(0);
    expect(await pendingDeliveries()).to.equal(1);
  });

  it('H61: cancels pending deliveries of types that are no longer subscribed', async () => {
    await publish();
    await testDatabase.query(`update endpoint set event_types = '{other.type}'`);
    expect(await database.transact((tx) => cancelPendingDeliveries(tx, [endpoint]))).to.equal(1);
  });

  it('H76: releases the idempotency key of a replay that is cancelled before its first attempt', async () => {
    await publish();
    await testDatabase.query(
      `update pending_delivery set lane = 'replay', replayed_from = 'whd_x'`,
    );
    await testDatabase.query(
      `insert into idempotency_record (account_id, key, fingerprint, pending_delivery_id, created_at)
       select account_id, 'k', '\\x00', id, now() from pending_delivery`,
    );
    await off();
    await database.transact((tx) => cancelPendingDeliveries(tx, [endpoint]));
    expect(await testDatabase.query('select key from idempotency_record')).to.deep.equal([]);
  });

  /** A pending delivery, and 2,499 more like it, each of an event of its own; `type` is an SQL expression. */
  const publishMany = async (type = 'event_type') => {
    await publish();
    await testDatabase.query(
      `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at,
                          attempt, max_attempts, test, created_at)
       select 'pdl_' || lpad(g::text, 24, '0'), account_id, endpoint_id,
              'evt_' || lpad(g::text, 24, '0'), ${type}, 'live',
              g % 2 = 0, now() + interval '1 hour', 1, 10, false, now()
         from pending_delivery, generate_series(1, 2499) g`,
    );
  };

  /** Works off the cancellation backlog. @returns the number that each step cancelled */
  const payAll = async () => {
    const counts: number[] = [];
    let after = '';
    for (
      let pendingCancellation = await backlog();
      pendingCancellation;
      pendingCancellation = await backlog()
    ) {
      const step = await database.transact((tx) =>
        cancelFromBacklog(tx, pendingCancellation, after),
      );
      counts.push(step.cancelled);
      after = step.next ?? '';
    }

    return counts;
  };

  const backlog = () => nextPendingCancellation(database.read, '');

  it('cancels at most 1,000 pending deliveries at once, and the poller cancels the rest', async () => {
    await publishMany();
    await off();
    expect(await database.transact((tx) => cancelPendingDeliveries(tx, [endpoint]))).to.equal(
      1_000,
    );
    const cancelStaleBatch = () => database.transact((tx) => cancelStale(tx, ''));
    expect(await cancelStaleBatch()).to.deep.equal({ cancelled: 1_000, next: '' });
    expect(await cancelStaleBatch()).to.deep.equal({ cancelled: 500, next: '' });
    expect(await cancelStaleBatch()).to.deep.equal({ cancelled: 0, next: '' });
  });

  it('leaves the rest to the cancellation backlog, which workers read once and claim nothing from', async () => {
    await publishMany(`case when g % 5 = 0 then 'other.type' else event_type end`);
    await testDatabase.query(
      `update pending_delivery set event_type = 'other.type' where event_id in (select id from event)`,
    );

    // Nothing was published in the millisecond of the change.
    await testDatabase.query(
      `update endpoint set event_types = '{other.type}', updated_at = updated_at - interval '1 second'`,
    );
    expect(await database.transact((tx) => cancelPendingDeliveries(tx, [endpoint]))).to.equal(
      1_000,
    );
    expect(await backlog()).to.include({ endpointId: endpoint });
    await testDatabase.query(
      `update pending_delivery set ready = true, due_at = date_trunc('milliseconds', now())`,
    );
    expect(await claimAll(database.read), 'while it is owed').to.deep.equal([]);

    const counts = await payAll();
    expect(counts.reduce((sum, count) => sum + count)).to.equal(1_000);
    expect(counts).to.have.length(2);
    expect(await backlog()).to.equal(undefined);
    expect(await claimAll(database.read), 'of what is still taken').to.have.length(1);
    expect(await pendingDeliveries()).to.equal(500);
  });

  it('H74: finishes the cancellation backlog even if the endpoint is activated again before', async () => {
    await publishMany();
    await off();
    await testDatabase.query('update endpoint set updated_at = now()');
    await database.transact((tx) => cancelPendingDeliveries(tx, [endpoint]));
    await testDatabase.query('update endpoint set active = true where id = $1', [endpoint]);
    await publish();
    await payAll();
    expect(await pendingDeliveries(), 'what was published since').to.equal(1);
    const backlog =
      'select 1 from endpoint where cancelling_since is not null or cancel_before is not null';
    expect(await testDatabase.query(backlog)).to.deep.equal([]);
  });

  const otherType = 'invoice.issued';
  const subscribe = (...types: string[]) =>
    database.transact((tx) => replaceEventSubscriptions(tx, account, endpoint, types));
  const switchTo = (active: boolean) =>
    database.transact((tx) =>
      updateEndpoint(tx, account, endpoint, { active }, { mayChangeEmail: false }),
    );

  const subscribeToBoth = () =>
    testDatabase.query('update endpoint set event_types = $1 where id = $2', [
      [eventType, otherType],
      endpoint,
    ]);

  it('H61: finishes the cancellation backlog of a type even if the type is subscribed again before', async () => {
    await subscribeToBoth();
    await publishMany();
    await subscribe(otherType);
    await subscribe(eventType, otherType);
    await publish();
    await payAll();
    expect(await pendingDeliveries(), 'what was published since').to.equal(1);
  });

  it('keeps pending deliveries that were published between two changes with a cancellation backlog', async () => {
    await subscribeToBoth();
    await publishMany();
    await subscribe(otherType);
    await subscribe(eventType, otherType);
    await publish();

    await testDatabase.query(
      `update pending_delivery set event_type = $1 where id like 'pdl_0000%5'`,
      [otherType],
    );

    const since = await testDatabase.query<{ id: string }>(
      'select id from pending_delivery where event_id = (select max(id) from event)',
    );
    const other = await testDatabase.hold(
      `select from pending_delivery where id like 'pdl_0000%5' for update`,
    );

    await subscribe(eventType);
    await other.release();
    await payAll();
    expect(await testDatabase.query('select id from pending_delivery')).to.deep.equal(since);
  });

  it('H74: leaves locked pending deliveries to the cancellation backlog', async () => {
    await publish();
    const other = await testDatabase.hold('select from pending_delivery for update');
    await switchTo(false);
    await switchTo(true);
    await other.release();
    await payAll();
    expect(await pendingDeliveries()).to.equal(0);
  });

  it('reads a bounded part of the pending deliveries and leaves the rest to the cancellation backlog', async () => {
    await subscribeToBoth();
    await publish();

    await testDatabase.query(
      `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at,
                          attempt, max_attempts, test, created_at)
       select 'pdl_' || lpad(g::text, 24, '0'), account_id, endpoint_id,
              'evt_' || lpad(g::text, 24, '0'), $1, 'live', true, due_at, 1, 10, false, created_at
         from pending_delivery, generate_series(1, 20000) g`,
      [otherType],
    );

    const reading = {
      name: 'reads',
      text: `select (sum(idx_tup_fetch) + sum(seq_tup_read))::int as reads
               from pg_stat_xact_user_tables where relname = 'pending_delivery'`,
    };

    const reads = await database.transact(async (tx) => {
      const [before] = await tx.sql<{ reads: number }>(reading, []);
      await replaceEventSubscriptions(tx, account, endpoint, [otherType]);
      const [after] = await tx.sql<{ reads: number }>(reading, []);
      return after!.reads - before!.reads;
    });

    expect(reads).to.be.within(1_000, 5_999);
    expect(await backlog()).to.include({ endpointId: endpoint });
    await payAll();
    expect(await backlog()).to.equal(undefined);
    expect(await pendingDeliveries(), 'of the type that stays').to.equal(20_000);
  });

  it('cancels stale pending deliveries that no claim takes because their type is not subscribed', async () => {
    await publish();
    const other = await insertEndpoint(testDatabase, account);
    await publish();
    await testDatabase.query(`update endpoint set event_types = '{other.type}' where id = $1`, [
      other,
    ]);
    const cancelledStale = await database.transact((tx) => cancelStale(tx, ''));
    expect(cancelledStale).to.deep.equal({ cancelled: 1, next: '' });
    expect(await pendingDeliveries()).to.equal(2);
  });

  it('looks for stale pending deliveries from the last endpoint to the first, and continues from the given cursor', async () => {
    await insertEndpoint(testDatabase, account);
    await publish();
    await testDatabase.query('update endpoint set active = false');

    const left = async () =>
      (
        await testDatabase.query<{ id: string }>(
          'select endpoint_id as id from pending_delivery order by endpoint_id',
        )
      ).map(({ id }) => id);

    const [first = '', last = ''] = await left();
    expect(await database.transact((tx) => cancelStale(tx, first)), 'of none before').to.deep.equal(
      { cancelled: 0, next: '' },
    );

    const cancelledStale = await database.transact((tx) => cancelStale(tx, last));
    expect(cancelledStale).to.deep.equal({ cancelled: 1, next: '' });
    expect(await left()).to.deep.equal([last]);
  });

  it('skips locked rows and waits for no lock while it looks for stale pending deliveries', async () => {
    await publish();
    await publish();
    await off();
    const other = await testDatabase.hold(
      'select from pending_delivery order by id limit 1 for update',
    );
    const cancelledStale = await database.transact((tx) => cancelStale(tx, ''));
    expect(cancelledStale).to.deep.equal({ cancelled: 1, next: '' });
    await other.release();
    expect(await database.transact((tx) => cancelStale(tx, ''))).to.include({ cancelled: 1 });
  });

  it('cancels stale pending deliveries behind a hundred that are being sent', async () => {
    for (let index = 0; index < 101; index += 1) await publish();
    expect(await claimAll(database.read, { slots: 100 })).to.have.length(100);
    await testDatabase.query(`update endpoint set event_types = '{other.type}'`);
    const cancelledStale = await database.transact((tx) => cancelStale(tx, ''));
    expect(cancelledStale).to.include({ cancelled: 1 });
    expect(await pendingDeliveries()).to.equal(100);
  });
});
