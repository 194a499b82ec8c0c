import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { cancelPendingDeliveries, giveUpDelivery } from '../../../../src/domain/delivery/cancel.js';
import { type Claim, engineServerSettings } from '../../../../src/domain/delivery/claim.js';
import { readBacklog } from '../../../../src/domain/delivery/backlog.js';
import { releaseClaims } from '../../../../src/domain/delivery/leases.js';
import { releaseDeadLetter } from '../../../../src/domain/delivery/dead-letters.js';
import { recordBatch } from '../../../../src/domain/delivery/recording.js';
import { startReplay } from '../../../../src/domain/delivery/replay.js';
import { advanceSubjects, SubjectOrder } from '../../../../src/domain/delivery/subject-order.js';
import { setEndpointOptions } from '../../../../src/domain/endpoint/endpoint-options.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { pauseRecovery, startRecovery } from '../../../../src/domain/recovery/change-recovery.js';
import { runRecoveryStep } from '../../../../src/domain/recovery/run-step.js';
import { poll } from '../../../../src/domain/service/poll.js';
import type { OrderedSubject, Wakeup } from '../../../../src/domain/transaction/wakeup.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import {
  claimAll,
  emptyEngine,
  end,
  eventType,
  insertAccount,
  insertEndpoint,
  outcomes,
  untilLockIsAwaited,
} from '../../../support/engine.js';
import { explaining, plansOf } from '../../../support/plans.js';
import { publisherOf } from '../../../support/publisher.js';
import { sampleOf } from '../../../support/random.js';
import { insertPastEvent } from '../../../support/recoveries.js';
import { refusalOf } from '../../../support/refusal.js';

const advisoryLocks = {
  name: 'advisory_locks',
  text: `select count(*)::int as count from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`,
};

describe('the order of subjects', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;
  let endpoint: string;
  let order: SubjectOrder;
  let woken: Wakeup[];

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({
      serverSettings: engineServerSettings,
      wake: (wakeups) => void woken.push(...wakeups),
    });
  });

  after(() => test.drop());

  beforeEach(async () => {
    woken = [];
    await emptyEngine(test);
    account = await insertAccount(test);
    endpoint = await insertEndpoint(test, account, `ordering = 'subject'`);
    order = new SubjectOrder({
      database: () => database,
      onError: (error) => expect.fail(String(error)),
    });
  });

  const publish = (subject: string, fields: { name?: string; test?: boolean } = {}) =>
    database.transact((tx) =>
      publishEvent(tx, account, {
        type: eventType,
        subject,
        data: { name: fields.name ?? subject },
        ...(fields.test && { test: true }),
      }),
    );

  /** Does what a process does with the wake-ups of its commits. */
  const published = async () => {
    order.published(woken.splice(0));
    await order.stop();
  };

  const publishNamed = async (subject: string, ...names: readonly string[]) => {
    for (const name of names) await publish(subject, { name });
    await published();
  };

  const nameOf = ({ event }: Claim): string =>
    (JSON.parse(event.body.toString()) as { data: { name: string } }).data.name;
  const claims = async (lane: 'live' | 'recovery' = 'live') =>
    (await claimAll(database.read, { lane })).sort((one, other) =>
      nameOf(one) < nameOf(other) ? -1 : 1,
    );
  const record = (claimed: readonly Claim[], outcome: Parameters<typeof end>[1] = outcomes.ok) =>
    recordBatch(
      database,
      claimed.map((claim) => end(claim, outcome)),
    );

  /** Takes what may be sent, accepts it, and so on. @returns the names, one list for each round */
  const drain = async (): Promise<string[][]> => {
    const rounds: string[][] = [];
    for (let claimed = await claims(); claimed.length > 0; claimed = await claims()) {
      rounds.push(claimed.map(nameOf));
      await record(claimed);
    }
    return rounds;
  };

  it('H287: an endpoint with order gets the events of a subject one at a time, and other subjects go on', async () => {
    await publishNamed('a', 'a1', 'a2', 'a3');
    await publishNamed('b', 'b1', 'b2');
    expect(await drain()).to.deep.equal([['a1', 'b1'], ['a2', 'b2'], ['a3']]);
  });

  it('H287: an endpoint without order gets all events at once', async () => {
    await test.query('update endpoint set ordering = null');
    await publishNamed('a', 'a1', 'a2');
    expect(woken.flatMap(({ subjects = [] }) => subjects)).to.deep.equal([]);
    expect(await drain()).to.deep.equal([['a1', 'a2']]);
    const rows = await test.query('select 1 from pending_delivery where subject_key is not null');
    expect(rows).to.deep.equal([]);
  });

  it('H287: the next event of a subject waits for all attempts of the one before', async () => {
    await publishNamed('a', 'a1', 'a2');
    await publishNamed('b', 'b1', 'b2');

    const claimed = await claims();
    await record(claimed.slice(0, 1), outcomes.down);
    await record(claimed.slice(1));

    expect(await order.poll()).to.equal(0);
    expect((await claims()).map(nameOf), 'b goes on').to.deep.equal(['b2']);

    await test.query(`update pending_delivery set due_at = now(), ready = true where attempt = 2`);
    const again = await claims();
    expect(again.map(nameOf)).to.deep.equal(['a1']);
    await record(again);
    expect((await claims()).map(nameOf)).to.deep.equal(['a2']);
  });

  it('H287: a result lets the next event of its subject go in the transaction that records it', async () => {
    await publishNamed('a', 'a1', 'a2');
    const claimed = await claims();
    woken = [];
    await record(claimed);
    expect(woken, 'workers are woken, and no event counts as published').to.deep.equal([
      { kind: 'due', at: new Date(0) },
    ]);
    expect((await claims()).map(nameOf)).to.deep.equal(['a2']);
  });

  it('H287: a result whose claim was lost lets nothing go', async () => {
    await publishNamed('a', 'a1', 'a2');
    const claimed = await claims();
    await test.query('update pending_delivery set lease_token = null');
    const again = await claims();
    await record(claimed);
    expect(await claims()).to.deep.equal([]);
    await record(again);
    expect((await claims()).map(nameOf)).to.deep.equal(['a2']);
  });

  it('H287: a poll finds the subject of a publish or a result whose process died', async () => {
    await publish('a', { name: 'a1' });
    await publish('b', { name: 'b1' });
    expect(await claims()).to.deep.equal([]);
    expect(await order.poll()).to.equal(2);
    expect(await order.poll()).to.equal(0);
    expect(await drain()).to.deep.equal([['a1', 'b1']]);
  });

  it('H287: a poll walks more subjects than one call does', async () => {
    await publish('a');
    await test.query(
      `insert into pending_delivery
       select (jsonb_populate_record(c, jsonb_build_object('id', left(c.id, -4) || lpad(n::text, 4, '0'),
                 'subject_key', gen_random_uuid()))).*
         from pending_delivery c, generate_series(1, 2500) n`,
    );
    const advanced = [await order.poll(), await order.poll(), await order.poll()];
    expect(advanced).to.deep.equal([1_000, 1_000, 501]);
  });

  it('H287: an event for many endpoints goes to all, and no transaction locks more than a few hundred', async () => {
    for (let count = 1; count < 450; count += 1)
      await insertEndpoint(test, account, `ordering = 'subject'`);
    await publish('a');

    const locks: number[] = [];
    const counting = new SubjectOrder({
      database: () => ({
        read: database.read,
        transact: (work) =>
          database.transact(async (tx) => {
            const result = await work(tx);
            const [row] = await tx.sql<{ count: number }>(advisoryLocks, []);
            locks.push(row?.count ?? 0);
            return result;
          }),
      }),
      onError: (error) => expect.fail(String(error)),
    });
    counting.published(woken.splice(0));
    await counting.stop();

    expect(await claims()).to.have.lengthOf(450);
    expect(locks.reduce((sum, count) => sum + count)).to.equal(450);
    expect(Math.max(...locks)).to.be.at.most(200);
  });

  it('H287: PostgreSQL itself refuses a second open delivery of a subject', async () => {
    await publishNamed('a', 'a1', 'a2');
    const refused = await test
      .query('update pending_delivery set due_at = now(), ready = true')
      .catch((error: unknown) => String(error));
    expect(refused).to.include('pending_delivery_open_subject');
  });

  /** Publishes in a transaction that stays open until `commit`. */
  const publishOpen = async (subject: string, name: string) => {
    let commit: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (commit = resolve));
    let stored: () => void = () => undefined;
    const isStored = new Promise<void>((resolve) => (stored = resolve));
    const done = database.transact(async (tx) => {
      await publishEvent(tx, account, { type: eventType, subject, data: { name } });
      stored();
      await held;
    });
    await isStored;
    return {
      commit: async () => {
        commit();
        await done;
        await published();
      },
    };
  };

  it('H288: a number that commits later than a higher one waits its turn', async () => {
    const fifth = await publishOpen('a', '5');
    const sixth = await publishOpen('a', '6');
    await sixth.commit();

    const claimed = await claims();
    expect(claimed.map(nameOf), '6 goes, because nobody was told of 5').to.deep.equal(['6']);

    await fifth.commit();
    await order.poll();
    expect(await claims(), '5 waits while 6 is sent').to.deep.equal([]);

    await publishNamed('a', '7');
    await record(claimed);
    expect(await drain()).to.deep.equal([['5'], ['7']]);
  });

  it('H288: an event whose publish was answered before another was sent goes first', async () => {
    const open = await publishOpen('a', '1');
    await publish('a', { name: '2' });
    await publish('a', { name: '3' });
    await open.commit();
    expect((await drain()).flat()).to.deep.equal(['1', '2', '3']);
  });

  it('H288: two transactions that advance a subject at once make one delivery ready', async () => {
    await publish('a', { name: '1' });
    await publish('a', { name: '2' });
    const subjects = woken
      .splice(0)
      .flatMap((wakeup): OrderedSubject[] => [...(wakeup.subjects ?? [])]);

    let commit: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (commit = resolve));
    let advanced: () => void = () => undefined;
    const hasAdvanced = new Promise<void>((resolve) => (advanced = resolve));
    const first = database.transact(async (tx) => {
      const ready = await advanceSubjects(tx, subjects);
      advanced();
      await held;
      return ready;
    });
    await hasAdvanced;
    const second = database.transact((tx) => advanceSubjects(tx, subjects));
    await untilLockIsAwaited(test);
    commit();

    expect([await first, await second]).to.deep.equal([1, 0]);
    expect(await drain()).to.deep.equal([['1'], ['2']]);
  });

  it('H288: events of one group keep the order of their call', async () => {
    const publisher = publisherOf(database, { wake: (wakeups) => void woken.push(...wakeups) });
    const names = Array.from({ length: 30 }, (_name, index) => String(index + 10));
    const results = await publisher.publish(
      names.map((name) => ({
        accountId: account,
        type: eventType,
        subject: 'a',
        data: sampleOf(eventType, { name }),
      })),
    );
    expect(results.filter((result) => result instanceof Error)).to.deep.equal([]);
    await published();
    expect((await drain()).flat()).to.deep.equal(names);
  });

  it('H288: events of one call keep their order, also while the process learns of filters', async () => {
    const publisher = publisherOf(database, { wake: (wakeups) => void woken.push(...wakeups) });
    const other = await insertEndpoint(test, account);
    await database.transact((tx) =>
      setEndpointOptions(tx, account, other, { filter: '$.data.none == 1' }),
    );
    const names = Array.from({ length: 30 }, (_name, index) => String(index + 10));
    const results = await publisher.publish(
      names.map((name) => ({
        accountId: account,
        type: eventType,
        subject: 'a',
        data: sampleOf(eventType, { name }),
      })),
    );
    expect(results.filter((result) => result instanceof Error)).to.deep.equal([]);
    await published();
    expect((await drain()).flat()).to.deep.equal(names);
  });

  it('H289: a delivery that was given up after its last attempt lets the next one go', async () => {
    await publishNamed('a', 'a1', 'a2');
    await test.query('update pending_delivery set attempt = max_attempts where ready');
    await record(await claims(), outcomes.down);
    expect((await claims()).map(nameOf)).to.deep.equal(['a2']);
  });

  it('H289: a dead letter keeps its subject waiting until it is released or given up', async () => {
    await publishNamed('a', 'a1', 'a2');
    const deadLetter = async () => {
      const [row] = await test.query<{ id: string }>(
        `update pending_delivery set ready = false, dead_letter_reason = 'x' where ready returning id`,
      );
      return row?.id ?? '';
    };

    const id = await deadLetter();
    expect(await order.poll()).to.equal(0);
    await database.transact((tx) => releaseDeadLetter(tx, id));
    expect(await order.poll()).to.equal(0);
    expect(await deadLetter()).to.equal(id);

    await database.transact((tx) => giveUpDelivery(tx, account, id));
    await published();
    expect(await drain()).to.deep.equal([['a2']]);
  });

  it('H289: a person gives up a delivery that awaits its retry, and the next one goes at once', async () => {
    await publishNamed('a', 'a1', 'a2');
    await record(await claims(), outcomes.down);
    const [failed] = await test.query<{ id: string }>(
      'select id from pending_delivery where attempt = 2',
    );
    await database.transact((tx) => giveUpDelivery(tx, account, failed?.id ?? ''));
    await published();
    expect((await claims()).map(nameOf)).to.deep.equal(['a2']);
    expect(await test.query('select status from delivery')).to.deep.equal([
      { status: 'abandoned' },
    ]);
  });

  it('H289: a delivery is not given up while an attempt runs, nor by another account', async () => {
    await publishNamed('a', 'a1');
    const [claim] = await claims();
    const id = claim?.pendingDeliveryId ?? '';
    const giveUp = (by: string) => database.transact((tx) => giveUpDelivery(tx, by, id));
    expect((await refusalOf(giveUp(account))).code).to.equal('delivery_in_progress');
    expect((await refusalOf(giveUp(await insertAccount(test)))).code).to.equal('not_found');
  });

  it('H289: a cancellation of the event that others wait for lets them go', async () => {
    await publishNamed('a', 'a1', 'a2');
    await test.query(`update pending_delivery set event_type = 'invoice.issued' where ready`);
    await database.transact((tx) => cancelPendingDeliveries(tx, [endpoint], ['invoice.issued']));
    await published();
    expect(await drain()).to.deep.equal([['a2']]);
  });

  it('H299: turning order off makes ready all that waits', async () => {
    await publishNamed('a', 'a1', 'a2', 'a3');
    await publishNamed('b', 'b1', 'b2');
    await test.query('update endpoint set ordering = null');
    expect(await order.poll()).to.equal(3);
    expect(await drain()).to.deep.equal([['a1', 'a2', 'a3', 'b1', 'b2']]);
  });

  it('H299: turning order on leaves what is pending as it is, and orders what follows', async () => {
    await test.query('update endpoint set ordering = null');
    await publishNamed('a', 'a1', 'a2');
    await test.query(`update endpoint set ordering = 'subject'`);
    await publishNamed('a', 'a3', 'a4');
    expect(await drain()).to.deep.equal([['a1', 'a2', 'a3'], ['a4']]);
  });

  it('H299: test events and replays neither wait nor keep others waiting', async () => {
    await publishNamed('a', 'a1', 'a2');
    const first = await claims();
    await record(first);
    const [delivery] = await test.query<{ id: string }>('select id from delivery');
    await database.transact((tx) => startReplay(tx, account, delivery?.id ?? ''));
    await publish('a', { name: 'test', test: true });
    await published();
    expect((await claims()).map(nameOf)).to.deep.equal(['a2', 'test']);
    expect(await claimAll(database.read, { lane: 'replay' })).to.have.lengthOf(1);
  });

  it('H299: recovered events keep order among themselves, apart from what is published', async () => {
    for (const agoMs of [300_000, 200_000, 100_000])
      await insertPastEvent(test, account, { agoMs });
    await test.query(
      `update event set body = convert_to(json_build_object('data', json_build_object('name', id))::text, 'UTF8')`,
    );
    const names = (await test.query<{ id: string }>('select id from event order by id')).map(
      ({ id }) => id,
    );
    await test.query(`update endpoint set created_at = now() - interval '1 day'`);
    const at = (agoMs: number) => new Date(Date.now() - agoMs);
    const { id } = await database.transact((tx) =>
      startRecovery(tx, account, {
        endpointId: endpoint,
        what: 'missed',
        since: at(1_000_000),
        until: at(0),
        ratePerSecond: 100,
        idempotencyKey: 'once',
      }),
    );
    await test.query(`update recovery set credited_at = now() - interval '1 second'`);
    await runRecoveryStep((work, options) => database.transact(work, options));
    await published();

    const recovered: string[] = [];
    for (let round = await claims('recovery'); round.length > 0; round = await claims('recovery')) {
      recovered.push(round.map(nameOf).join());
      await publishNamed('order:ord_1', 'live');
      expect((await drain()).flat()).to.deep.equal(['live']);
      if (recovered.length < 2) await record(round);
      else break;
    }
    expect(recovered).to.deep.equal(names.slice(0, 2));

    await database.transact((tx) => pauseRecovery(tx, account, id));
    const left = await test.query(`select 1 from pending_delivery where lane = 'recovery'`);
    expect(left, 'a pause takes back what waits, and leaves what is sent').to.have.lengthOf(1);
  });

  it('H299: recovered events that wait for their turn hold up no other subject', async () => {
    for (const agoMs of [400_000, 300_000, 200_000, 100_000])
      await insertPastEvent(test, account, { agoMs });
    await test.query(
      `update event set subject = case when id = (select max(id) from event) then 'order:b' else 'order:a' end`,
    );
    await test.query(`update endpoint set created_at = now() - interval '1 day'`);
    const at = (agoMs: number) => new Date(Date.now() - agoMs);
    await database.transact((tx) =>
      startRecovery(tx, account, {
        endpointId: endpoint,
        what: 'missed',
        since: at(1_000_000),
        until: at(0),
        ratePerSecond: 1,
        idempotencyKey: 'once',
      }),
    );

    // At this rate at most two are ready at a time.
    for (let step = 1; step <= 4; step += 1) {
      await test.query(
        `update recovery set credited_at = now() - interval '1 second', next_step_at = now()`,
      );
      await runRecoveryStep((work, options) => database.transact(work, options));
      await published();
    }

    const ready = await test.query(
      `select e.subject from pending_delivery c join event e on e.id = c.event_id where c.ready order by 1`,
    );
    expect(ready).to.deep.equal([{ subject: 'order:a' }, { subject: 'order:b' }]);
  });

  it('H287: 50,000 that wait for one subject cost the claims and polls of others nothing', async () => {
    const other = await insertAccount(test);
    await insertEndpoint(test, other);
    const explained = await test.open({
      pool: 1,
      serverSettings: { ...engineServerSettings, ...explaining },
    });
    const work = async () => {
      await poll(explained.read, Infinity, undefined);
      const claimed = await claimAll(explained.read);
      await releaseClaims(explained.read, claimed);
      expect(claimed.map(({ accountId }) => accountId)).to.deep.equal([other, other]);
    };
    for (const name of ['1', '2']) {
      await database.transact((tx) =>
        publishEvent(tx, other, { type: eventType, subject: 'a', data: { name } }),
      );
    }
    await plansOf(work);
    const before = await plansOf(work);

    await publish('a');
    await test.query(
      `insert into pending_delivery
       select (jsonb_populate_record(c, jsonb_build_object('id', left(c.id, -6) || lpad(n::text, 6, '0'),
                 'subject_number', n))).*
         from pending_delivery c, generate_series(1, 50000) n where c.due_at = 'infinity'`,
    );
    const [first] = await test.query<{ id: string }>(
      `update pending_delivery set due_at = now() + interval '1 hour'
        where id = (select min(id) from pending_delivery where due_at = 'infinity') returning id`,
    );
    expect(first).not.to.equal(undefined);
    const after = await plansOf(work);
    expect(before.length).to.be.greaterThan(2);
    expect(after).to.have.lengthOf(before.length);
    for (const [place, { rows, blocks }] of after.entries()) {
      // The row that a poll finds is one more; a few pages of an index say nothing.
      expect(rows).to.be.at.most((before[place]?.rows ?? 0) + 10);
      expect(blocks).to.be.at.most((before[place]?.blocks ?? 0) + 20);
    }
    expect(await order.poll(), 'one probe for the whole subject').to.equal(0);
  });

  it('does not count what waits for its turn as late', async () => {
    await publishNamed('a', 'a1', 'a2', 'a3');
    await claims();
    const backlog = await readBacklog(database.read);
    expect(backlog).to.include({ oldestDueSeconds: 0, oldestBacklogSeconds: 0, waiting: 2 });
  });
});
