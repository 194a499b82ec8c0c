import { expect } from 'chai';
import type { PublishRequest } from '../../../../src/domain/event/prepare-event.js';
import { copyEndpoints, insertAccount, insertEndpoint } from '../../../support/engine.js';
import { Publishing } from '../../../support/publisher.js';

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
    for (const each of await publishing.many(count, changes)) {
      expect(each).to.have.property('created', true);
    }
  };

  for (const keyed of [false, true]) {
    const key = (name: string, place: number) => (keyed ? { key: `${name} ${place}` } : {});
    const what = keyed ? 'with keys' : 'without keys';

    it(`H240: makes at most 10,000 pending deliveries at a time, ${what}`, async () => {
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

  it('H240: stores those of other accounts beside them', async () => {
    await publish(5, () => ({ accountId: large }));
    await transactions();
    await publish(240, (place) => (place < 40 ? { accountId: large } : {}));
    const { largest, count } = await transactions();
    expect(largest).to.be.at.most(10_000);
    expect(count).to.be.at.most(4);
  });

  it('H240: knows what an event makes from one that went alone', async () => {
    await publish(1, () => ({ accountId: large }));
    await transactions();
    const request = publishing.request({ accountId: large });
    await publishing.publisher.publish(Array(80).fill(request) as PublishRequest[]);
    expect(await transactions()).to.deep.equal({ largest: 10_000, count: 2 });
  });

  it('sends a group that PostgreSQL cancelled again, in smaller groups', async () => {
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
