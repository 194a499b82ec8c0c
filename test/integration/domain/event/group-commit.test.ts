import { expect } from 'chai';
import { retireEventType, unlistEventType } from '../../../../src/domain/event-type/event-types.js';
import type { PublishRequest } from '../../../../src/domain/event/prepare-event.js';
import type { Published } from '../../../../src/domain/event/store-events.js';
import { TransactionAborted } from '../../../../src/domain/transaction/tx.js';
import { isUnavailable } from '../../../../src/domain/transaction/unavailable.js';
import {
  copyEndpoints,
  eventType,
  insertAccount,
  insertEndpoint,
  untilLockIsAwaited,
} from '../../../support/engine.js';
import { codeOf, publisherOf, Publishing } from '../../../support/publisher.js';
import { statementsOf } from '../../../support/statements.js';
import { channelOf } from '../../../../src/domain/transaction/wakeup.js';
import { type Cluster, startCluster } from '../../../support/cluster.js';
import { eventually } from '../../../support/eventually.js';

describe('group commit', () => {
  let publishing: Publishing;

  before(async () => (publishing = await Publishing.create()));
  beforeEach(() => publishing.reset());
  after(() => publishing.test.drop());

  it('H121: stores a lone event by one statement, without a transaction block', async () => {
    let published: Published | undefined;
    const sent = await statementsOf(async () => (published = await publishing.publish()));
    expect(sent).to.have.lengthOf(1);
    const [pending] = await publishing.test.query(
      'select event_id from pending_delivery order by id desc limit 1',
    );
    expect(pending).to.deep.equal({ event_id: published?.id });
    const woken = [{ kind: 'due', signalled: true }];
    expect([publishing.woken, publishing.accepted]).to.deep.equal([woken, 1]);
  });

  it('H201: only the commit of a lone event that found nothing in flight notifies workers', async () => {
    const sent = await statementsOf(async () => {
      const first = publishing.publish();
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      await Promise.all([first, publishing.publish()]);
    });
    expect(sent.map(({ values }) => values[14])).to.deep.equal(['signalpost_wake_due', null]);
  });

  it('H121: stores events that arrive meanwhile together, with a result for each', async () => {
    let results: (Published | Error)[] = [];
    const sent = await statementsOf(async () => {
      const first = publishing.send();
      await Promise.resolve();
      results = [await first, ...(await publishing.many(0))];
      const others = [publishing.send()];
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      others.push(...Array.from({ length: 99 }, () => publishing.send()));
      results.push(...(await Promise.all(others)));
    });

    expect(sent).to.have.lengthOf(3);

    const ids = results.map((result) => (result as Published).id);
    expect(new Set(ids).size).to.equal(101);
    expect(await publishing.stored()).to.include.members(ids);
    expect([publishing.woken.length, publishing.accepted]).to.deep.equal([3, 101]);
  });

  it('H121: stores events of 50 callers with fewer than 0.2 statements an event', async () => {
    const sent = await statementsOf(() =>
      Promise.all(
        Array.from({ length: 50 }, async () => {
          for (let turn = 0; turn < 20; turn += 1) await publishing.publish();
        }),
      ),
    );
    expect(publishing.accepted).to.equal(1_000);
    expect(sent).to.have.lengthOf.below(200);
  });

  it('sends no wake-up when no endpoint receives the events', async () => {
    await publishing.test.query('update endpoint set active = false');
    await publishing.publish();
    expect([publishing.woken, publishing.accepted]).to.deep.equal([[], 1]);
  });

  it('H121: refuses the invalid events of a group, and no other', async () => {
    const { id } = await publishing.publish({ key: 'taken' });
    const wrong: Partial<PublishRequest>[] = [
      { type: 'no.such' },
      { accountId: 'acc_000000000000000000000000' },
      { accountId: '\0' },
      { data: { blob: 'x'.repeat(262_144) } },
      { subject: '' },
      { key: 'taken', data: { n: 2 } },
    ];

    const results = await publishing.many(12, (place) =>
      place % 2 === 0 ? wrong[place / 2]! : {},
    );
    expect(results.filter((_, place) => place % 2 === 0).map(codeOf)).to.deep.equal([
      'validation_failed',
      'not_found',
      'not_found',
      'validation_failed',
      'validation_failed',
      'event_key_conflict',
    ]);

    for (const [place, result] of results.entries()) {
      if (place % 2 === 1) expect(result).to.have.property('created', true);
    }

    expect(await publishing.publish({ key: 'taken' })).to.deep.equal({ id, created: false });
    expect(publishing.accepted).to.equal(7);
  });

  it('H123: refuses the events of an account or a type from the moment it is gone', async () => {
    const gone = await insertAccount(publishing.test);
    const type = 'offer.accepted';
    expect(await publishing.send({ accountId: gone, type })).to.have.property('created', true);
    await publishing.test.query('delete from account where id = $1', [gone]);
    expect(codeOf(await publishing.send({ accountId: gone, type }))).to.equal('not_found');
    await publishing.database.transact((tx) => retireEventType(tx, type));
    expect(await publishing.send({ type })).to.have.property('created', true);
    await publishing.database.transact((tx) => unlistEventType(tx, type));
    expect(await publishing.send({ type })).to.have.deep.property('errors', [
      { code: 'unknown_event_type', detail: `Unknown event type: ${type}`, param: 'type' },
    ]);
    expect(await publishing.stored(`type = '${type}'`)).to.have.lengthOf(2);
  });

  it('drops an event from the queue when its caller leaves', async () => {
    const first = publishing.send();
    const signal = { aborted: false };
    await Promise.resolve();
    const late = publishing.publisher.publish([publishing.request({ subject: 'late' })], signal);
    signal.aborted = true;
    await first;
    expect((await late)[0]).to.be.instanceOf(TransactionAborted);
    expect(await publishing.stored(`subject = 'late'`)).to.deep.equal([]);
  });

  it('a group has at most 250 events and one mebibyte', async () => {
    const requests = Array.from({ length: 600 }, () => publishing.request());
    const sent = await statementsOf(() => publishing.publisher.publish(requests));
    expect(sent).to.have.lengthOf(3);
    const data = { blob: 'x'.repeat(200_000) };
    const large = await statementsOf(() =>
      publishing.publisher.publish(Array.from({ length: 7 }, () => publishing.request({ data }))),
    );
    expect(large).to.have.lengthOf(2);
  });
});

describe('group commit of events with keys', () => {
  let publishing: Publishing;

  before(async () => (publishing = await Publishing.create()));
  beforeEach(() => publishing.reset());
  after(() => publishing.test.drop());

  it('a group publishes once for each key, in order, and refuses other content', async () => {
    const results = await publishing.many(9, (place) => ({
      key: `k${place % 3}`,
      data: { n: place < 6 ? 1 : 2 },
    }));

    const published = results.slice(0, 6) as Published[];
    expect(published.map(({ created }) => created)).to.deep.equal([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);

    expect(published.slice(3).map(({ id }) => id)).to.deep.equal(
      published.slice(0, 3).map(({ id }) => id),
    );
    expect(results.slice(6).map(codeOf)).to.deep.equal(Array(3).fill('event_key_conflict'));
  });

  it('publishes the next event of a key when the first one is refused', async () => {
    const results = await publishing.many(4, (place) => ({
      key: 'k',
      type: place < 2 ? 'no.such' : eventType,
    }));
    expect(results.slice(0, 2).map(codeOf)).to.deep.equal(Array(2).fill('validation_failed'));
    const [third, fourth] = results.slice(2) as Published[];
    expect(fourth).to.deep.equal({ id: third?.id, created: false });
  });

  it('two processes publish once for each key', async () => {
    const other = publisherOf(await publishing.test.open());
    for (let round = 0; round < 30; round += 1) {
      const requests = Array.from({ length: 20 }, (_, place) =>
        publishing.request({ key: `${round} ${(place * 7) % 20}` }),
      );
      const [ours, theirs] = (await Promise.all([
        publishing.publisher.publish(requests),
        other.publish([...requests].reverse()),
      ])) as [Published[], Published[]];

      theirs.reverse();
      expect(theirs.map(({ id }) => id)).to.deep.equal(ours.map(({ id }) => id));

      const both = ours.map(({ created }, place) => [created, theirs[place]?.created]);
      for (const created of both) expect(created).to.have.members([true, false]);
    }
  });

  it('H121: a key that another transaction holds delays only its own events', async () => {
    const holder = await publishing.test.hold(
      `insert into publish_key values ('${publishing.account}', 'held', '', 'evt_1', now() + interval '1 day')`,
    );
    const held = [publishing.send({ key: 'held' }), publishing.send({ key: 'held' })];
    const others = await publishing.many(40, (place) => ({ key: `k${place}` }));
    others.push(...(await publishing.many(2)));
    for (const result of others) expect(result).to.have.property('created', true);
    expect(await publishing.publish({ key: 'later' })).to.have.property('created', true);
    await holder.release();
    const [first, second] = (await Promise.all(held)) as Published[];
    expect(first).to.have.property('created', true);
    expect(second).to.deep.equal({ id: first?.id, created: false });
  });

  it('H121: an event whose key is published already waits for no transaction that uses the key', async () => {
    const { id } = await publishing.publish({ key: 'known' });
    const holder = await publishing.test.hold(
      `select from publish_key where account_id = '${publishing.account}' for update`,
    );
    const repeated = await publishing.many(3, (place) => ({ key: place === 0 ? 'new' : 'known' }));
    await holder.release();
    const [other, ...same] = repeated as Published[];
    expect(other).to.have.property('created', true);
    expect(same).to.deep.equal(Array(2).fill({ id, created: false }));
  });

  it('H121: only the first statement of a group waits for held keys, its halves wait 1 ms', async () => {
    const waits: unknown[] = [];
    const { read } = publishing.database;
    const sql: typeof read.sql = (statement, values) => {
      if (statement.name.startsWith('event_publish_keyed')) waits.push(values.at(-1));
      return read.sql(statement, values);
    };

    publishing.publisher = publishing.publisherOf({ read: { ...read, sql } });

    const holder = await publishing.test.hold(
      `insert into publish_key select '${publishing.account}', 'k' || n, '', 'evt_1', now() + interval '1 day'
         from generate_series(0, 30, 15) n`,
    );

    const many = Array.from({ length: 40 }, (_, place) => publishing.send({ key: `k${place}` }));
    const free = await Promise.all(many.filter((_each, place) => place % 15 > 0));

    await holder.release();

    for (const result of [...free, ...(await Promise.all(many))]) {
      expect(result).to.have.property('created', true);
    }

    expect(waits.slice(0, 3)).to.deep.equal(['25', '1', '1']);
  });
});

describe('group commit of events with many endpoints', () => {
  let publishing: Publishing;
  let large: string;

  before(async () => (publishing = await Publishing.create()));

  beforeEach(async () => {
    await publishing.reset();
    large = await insertAccount(publishing.test);
    await insertEndpoint(publishing.test, large);
    await copyEndpoints(publishing.test, large, 249);
  });

  after(() => publishing.test.drop());

  /** The most pending deliveries of a transaction, and how many transactions there were. */
  const transactions = async () => {
    const [row] = await publishing.test.query<{ largest: number; count: number }>(
      `select max(made)::int as largest, count(*)::int as count
         from (select count(*) as made from pending_delivery group by xmin::text) as one`,
    );
    await publishing.test.query('truncate pending_delivery');
    return row!;
  };

  const publish = async (count: number, changes: (place: number) => Partial<PublishRequest>) => {
    for (const result of await publishing.many(count, changes)) {
      expect(result).to.have.property('created', true);
    }
  };

  for (const keyed of [false, true]) {
    const key = (name: string, place: number) => (keyed ? { key: `${name} ${place}` } : {});
    const what = keyed ? 'with keys' : 'without keys';

    it(`H240: a group makes at most 10,000 pending deliveries, ${what}`, async () => {
      await publish(100, (place) => ({ accountId: large, ...key('first', place) }));
      const first = await transactions();
      expect(first.largest).to.equal(10_000);
      expect(first.count).to.be.at.most(5);
      await publish(300, (place) => key('other', place));
      expect((await transactions()).count).to.be.at.most(3);
      await publish(100, (place) => ({ accountId: large, ...key('again', place) }));
      expect((await transactions()).largest).to.equal(10_000);
    });
  }

  it('H240: groups with many pending deliveries also have events of other accounts', async () => {
    await publish(5, () => ({ accountId: large }));
    await transactions();
    await publish(240, (place) => (place < 40 ? { accountId: large } : {}));
    const { largest, count } = await transactions();
    expect(largest).to.be.at.most(10_000);
    expect(count).to.be.at.most(4);
  });

  it('H240: group commit learns the fan-out of a type from an event that was sent alone', async () => {
    await publish(1, () => ({ accountId: large }));
    await transactions();
    const request = publishing.request({ accountId: large });
    await publishing.publisher.publish(Array(80).fill(request) as PublishRequest[]);
    expect(await transactions()).to.deep.equal({ largest: 10_000, count: 2 });
  });

  it('resends a group that PostgreSQL cancelled in smaller groups', async () => {
    const { read } = publishing.database;
    const sizes: number[] = [];
    const sql: typeof read.sql = (statement, values) => {
      if (!statement.name.startsWith('event_publish')) return read.sql(statement, values);
      sizes.push(String(values[0]).split(',').length);
      if (sizes.length !== 3) return read.sql(statement, values);
      return Promise.reject(Object.assign(new Error('cancelled'), { code: '57014' }));
    };
    publishing.publisher = publishing.publisherOf({ read: { ...read, sql } });
    for (const count of [20, 100]) await publish(count, () => ({}));
    expect(sizes).to.deep.equal([10, 10, 100, 10, 90]);
    expect(await publishing.stored()).to.have.lengthOf(121);
  });
});

describe('group commit when something fails', () => {
  let publishing: Publishing;

  before(async () => (publishing = await Publishing.create()));
  beforeEach(() => publishing.reset());
  after(() => publishing.test.drop());

  it('halves a group to find the row that PostgreSQL refuses, and stores the others', async () => {
    await publishing.test.query(
      `alter table event add constraint poison check (subject <> 'poison')`,
    );

    try {
      let results: (Published | Error)[] = [];
      const sent = await statementsOf(async () => {
        results = await publishing.publisher.publish(
          Array.from({ length: 100 }, (_, place) =>
            publishing.request({ subject: place === 70 ? 'poison' : 'order:1' }),
          ),
        );
      });

      const failed = results.filter((result) => result instanceof Error);
      expect(failed).to.have.lengthOf(1);
      expect(codeOf(results[70]!)).to.equal('23514');
      expect(sent).to.have.lengthOf.at.most(15);
      expect(publishing.accepted).to.equal(99);
    } finally {
      await publishing.test.query('alter table event drop constraint poison');
    }
  });

  it('tells every caller of a group that PostgreSQL is unavailable, and stores nothing', async () => {
    const before = await publishing.stored();
    const { read } = publishing.database;
    const away = publisherOf({
      read: {
        ...read,
        sql: (statement, values) =>
          statement.name.startsWith('event_publish')
            ? Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))
            : read.sql(statement, values),
      },
    });

    const results = await away.publish([
      publishing.request(),
      publishing.request(),
      publishing.request({ type: '' }),
    ]);

    expect(results.map((result) => isUnavailable(result))).to.deep.equal([true, true, false]);
    expect(await publishing.stored()).to.have.members(before);
  });

  for (const keyed of [false, true])
    it(`stores an event ${keyed ? 'with' : 'without'} a key again after a deadlock`, async () => {
      const { test } = publishing;
      const untilWaiting = (sessions: number) =>
        eventually(async () => {
          const waiting = await test.query('select from pg_locks where not granted');
          expect(waiting).to.have.lengthOf(sessions);
        }, `${sessions} sessions wait for a lock`);
      const database = await test.open({ serverSettings: { deadlock_timeout: '10ms' } });

      // The statement locks first event, then pending_delivery, then endpoint.
      const pending = await test.hold('lock table pending_delivery in exclusive mode');
      const sent = statementsOf(async () => {
        const request = publishing.request(keyed ? { key: 'k' } : {});
        const [result] = await publisherOf(database).publish([request]);
        expect(result).to.have.property('created', true);
      });
      await untilWaiting(1);

      const opposite = test.hold(
        `set local deadlock_timeout = '1h';
         lock table endpoint in access exclusive mode;
         lock table event in exclusive mode`,
      );
      await untilWaiting(2);
      await pending.release();
      await (await opposite).release();

      const tries = (await sent).filter(({ text }) => text.includes('insert into event ('));
      expect(tries).to.have.lengthOf(2);
    });

  it('stores an event that waited for a lock outside the queue again after a deadlock', async () => {
    const { read } = publishing.database;
    const failingOnce = (code: string) => {
      let failures = 0;
      const sql: typeof read.sql = (statement, values) =>
        statement.name.startsWith('event_publish') && (failures += 1) === 1
          ? Promise.reject(Object.assign(new Error('rolled back'), { code }))
          : read.sql(statement, values);
      return { ...read, sql };
    };
    const publisher = publisherOf(
      { read: failingOnce('55P03') },
      { keyWait: failingOnce('40P01') },
    );
    const [result] = await publisher.publish([publishing.request({ key: 'k' })]);
    expect(result).to.have.property('created', true);
  });

  it('refuses the events of an account that is deleted or erased while they wait, and no other', async () => {
    const gone = await insertAccount(publishing.test);
    const erased = await insertAccount(publishing.test);
    const holder = await publishing.test.hold('lock table event in exclusive mode');
    const first = publishing.send();

    await untilLockIsAwaited(publishing.test);

    const owners = [gone, publishing.account, erased, publishing.account];
    const waiting = publishing.many(4, (place) => ({ accountId: owners[place]! }));

    await publishing.test.query('delete from account where id = $1', [gone]);
    await publishing.test.query('update account set erased_at = now() where id = $1', [erased]);
    await holder.release();
    expect(await first).to.have.property('created', true);

    const results = await waiting;
    expect(results.map(codeOf)).to.deep.equal(['not_found', undefined, 'not_found', undefined]);
    expect(await publishing.stored(`account_id in ('${gone}', '${erased}')`)).to.deep.equal([]);
  });

  it('refuses events at once that exceed the bytes that may wait', async () => {
    publishing.publisher = publishing.publisherOf({
      waitingBytes: {
        total: 11_250,
        perAccount: 7_500,
        reserve: { total: 3_000, perAccount: 2_500 },
      },
    });

    const other = await insertAccount(publishing.test);
    const third = await insertAccount(publishing.test);
    const results = await publishing.many(11, (place) => ({
      accountId: place < 6 ? publishing.account : place < 9 ? other : third,
    }));
    const refused = results.map((result) => result instanceof Error);
    expect(refused).to.deep.equal([
      false,
      false,
      false,
      true,
      true,
      true,
      false,
      false,
      true,
      false,
      true,
    ]);

    expect(isUnavailable(results[3])).to.equal(true);
    for (const result of await publishing.many(3)) expect(result).to.have.property('created', true);
  });
});

/** Commits that notify follow each other; this one waits for its standby, which is away. */
const stalledCommit = (first: string) => `
  begin;
  set local synchronous_commit = on;
  ${first};
  select pg_notify('other', ''), pg_logical_emit_message(true, 'other', '');
  commit`;

/** A signal in a transaction of its own, as settings of a production server treat it. */
const signal = `
  begin;
  set local synchronous_commit = on;
  select pg_notify('other', '');
  commit`;

const stalled = `from pg_stat_activity where wait_event = 'SyncRep'`;

describe('group commit of a lone event while another commit that notifies is under way', () => {
  let cluster: Cluster;
  let publishing: Publishing;

  before(async () => {
    const settings = { synchronous_standby_names: 'absent', synchronous_commit: 'local' };
    cluster = await startCluster({ settings });
    publishing = await Publishing.create(cluster);
    await publishing.reset();
  });

  after(async () => {
    await publishing.test.drop();
    await cluster.stop();
  });

  /** Publishes an event during a commit that notifies. */
  async function sendDuring(stalledFirst: string, input: { readonly key?: string }): Promise<void> {
    const { test } = publishing;
    publishing.woken.length = 0;

    const commit = test.query(stalledCommit(stalledFirst));
    try {
      await eventually(async () => {
        expect(await test.query(`select pid ${stalled}`)).to.have.lengthOf(1);
      }, 'the other commit waits for its standby');
      expect(await publishing.send(input)).to.have.property('created', true);
      expect(await test.query(`select pid ${stalled}`)).to.have.lengthOf(1);
      expect(publishing.woken).to.deep.equal([{ kind: 'due' }]);
    } finally {
      await test.query(`select pg_cancel_backend(pid) ${stalled}`);
      // To its client, a commit whose wait was cancelled is lost.
      await Promise.allSettled([commit]);
    }
  }

  it('a lone event waits for no other commit that notifies, and signals after its own', () =>
    sendDuring(`select pg_try_advisory_xact_lock(hashtextextended('${channelOf('due')}', 0))`, {}));

  it('stores an event with a key without waiting for another commit that notifies', () =>
    sendDuring('select 1', { key: 'k' }));

  it('the signal of another group waits for no disk and no standby', async () => {
    const { test } = publishing;
    let committed = false;
    const commit = test.query(signal).then(() => (committed = true));
    try {
      await eventually(() => expect(committed).to.equal(true), 'the signal is committed', 10_000);
    } finally {
      await test.query(`select pg_cancel_backend(pid) ${stalled}`);
      await Promise.allSettled([commit]);
    }
  });
});
