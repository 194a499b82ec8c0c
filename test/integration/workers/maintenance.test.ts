import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { engineServerSettings } from '../../../src/domain/delivery/claim.js';
import { publishEvent } from '../../../src/domain/event/publish.js';
import { smallestId, makeId } from '../../../src/domain/values/id.js';
import { Maintenance } from '../../../workers/maintenance.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { insertAccount, eventType } from '../../support/engine.js';
import { eventually } from '../../support/eventually.js';

describe('maintenance', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ serverSettings: engineServerSettings });
    account = await insertAccount(test);
  });

  after(() => test.drop());

  it('deletes what has expired, drops what is past retention, and keeps the rest', async () => {
    await test.query(
      `insert into publish_key (account_id, key, fingerprint, event_id, expires_at)
       select $1, 'k' || i, '', 'evt_1', now() + (i - 1500) * interval '1 minute'
         from generate_series(1, 2000) i`,
      [account],
    );

    await test.query(
      `insert into idempotency_record (account_id, key, fingerprint, status, body, expires_at, created_at)
       select $1, 'k' || i, '', 200, '', now() + (i - 50) * interval '1 minute', now()
         from generate_series(1, 100) i`,
      [account],
    );

    await test.query(
      `create table event_20200101 partition of event
         for values from ('evt_0') to ('evt_00000000000')`,
    );

    await test.query(
      `create table delivery_evidence_20200101 partition of delivery_evidence
         for values from ('whd_0') to ('whd_00000000000')`,
    );

    const dropped: string[] = [];
    const internalErrors: unknown[] = [];
    const maintenance = new Maintenance({
      transact: database.transact,
      pendingPerAccount: { deliveries: 1_000_000, bytes: 10 ** 10 },
      maxInitialDelayMs: 1,
      onDropped: (tables) => dropped.push(...tables),
      onError: (error) => internalErrors.push(error),
    });

    await eventually(async () => {
      const [row] = await test.query<{ keys: number; responses: number }>(
        `select (select count(*)::int from publish_key) as keys,
                (select count(*)::int from idempotency_record) as responses`,
      );
      expect(row).to.deep.equal({ keys: 500, responses: 50 });
      expect(dropped).to.have.members(['event_20200101', 'delivery_evidence_20200101']);
    }, 'all expired rows are gone');

    await maintenance.stop();
    expect(internalErrors).to.deep.equal([]);
  });

  /** One round at once. @returns its partitions that were dropped, and what went wrong */
  const round = async (until: () => Promise<unknown>, meanwhile?: () => Promise<void>) => {
    const dropped: string[] = [];
    const internalErrors: unknown[] = [];
    const maintenance = new Maintenance({
      transact: database.transact,
      pendingPerAccount: { deliveries: 1_000_000, bytes: 10 ** 10 },
      maxInitialDelayMs: 1,
      onDropped: (tables) => dropped.push(...tables),
      onError: (error) => internalErrors.push(error),
    });
    await eventually(until, 'the round has come so far');
    await Promise.all([maintenance.stop(), meanwhile?.()]);
    return { dropped, internalErrors };
  };

  const week = 7 * 86_400_000;

  /** The partition of events that many weeks ago, empty. */
  const arrangeOldPartition = async (weeksAgo: number) => {
    const from = new Date((Math.floor(Date.now() / week) - weeksAgo) * week);
    const name = `event_${from.toISOString().slice(0, 10).replaceAll('-', '')}`;
    const until = new Date(from.getTime() + week);
    await test.query(
      `create table ${name} partition of event
         for values from ('${smallestId('evt', from)}') to ('${smallestId('evt', until)}')`,
    );
    return { name, from };
  };

  const partitions = async () =>
    (
      await test.query<{ name: string }>(
        `select inhrelid::regclass::text as name from pg_inherits
          where inhparent in ('event'::regclass, 'delivery'::regclass) order by 1`,
      )
    ).map(({ name }) => name);

  /** Waits for the last step of a round. */
  const lastIsDropped = async () => expect(await partitions()).not.to.include('event_20200101');
  const arrangeLastToDrop = () =>
    test.query(
      `create table event_20200101 partition of event
         for values from ('evt_0') to ('evt_00000000000')`,
    );

  it('keeps the events that open pending deliveries need, however old they are', async () => {
    const { name, from } = await arrangeOldPartition(9);
    const event = makeId('evt', new Date(from.getTime() + week / 2));
    await test.query(
      `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at,
                          attempt, max_attempts, test, created_at)
       values ('pdl_old', 'acc_1', 'whs_1', $1, $2, 'live', false, now(), 2, 10, false, now())`,
      [event, eventType],
    );

    await arrangeLastToDrop();

    expect(await round(lastIsDropped)).to.deep.equal({
      dropped: ['event_20200101'],
      internalErrors: [],
    });

    expect(await partitions()).to.include(name);
    await test.query('delete from pending_delivery');

    const isDropped = async () => expect(await partitions()).not.to.include(name);
    expect(await round(isDropped)).to.deep.equal({ dropped: [name], internalErrors: [] });
  });

  it('blocks no publisher while another session reads for a long time', async () => {
    const names = await partitions();
    const newest = names.filter((name) => name.startsWith('event_')).at(-1)!;
    await test.query(`drop table ${newest}`);
    await arrangeLastToDrop();

    const backup = await test.hold('lock table event, delivery in access share mode');

    // A publish that waits for a lock fails. Maintenance delays others for at most 0.2 s.
    const publishOne = () =>
      database.transact(async (tx) => {
        await tx.manager.query(`set local lock_timeout = '1s'`);
        const event = { type: eventType, subject: 's', data: {}, test: false };
        return publishEvent(tx, account, event);
      });

    const isMade = async () => {
      await publishOne();
      expect(await partitions()).to.include(newest);
    };

    const publishMore = async () => {
      for (let count = 0; count < 50; count += 1) await publishOne();
    };
    const { dropped, internalErrors } = await round(isMade, publishMore);
    expect(dropped).to.deep.equal([]);
    expect(internalErrors).to.deep.equal([]);
    await backup.release();
    expect((await round(lastIsDropped)).dropped).to.deep.equal(['event_20200101']);
  });
});
