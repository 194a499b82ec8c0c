import { expect } from 'chai';
import type { Published } from '../../../../src/domain/event/store-events.js';
import { eventType } from '../../../support/engine.js';
import { codeOf, Publishing, publisherOf } from '../../../support/publisher.js';

describe('group commit of events with keys', () => {
  let publishing: Publishing;

  before(async () => (publishing = await Publishing.create()));
  beforeEach(() => publishing.reset());
  after(() => publishing.test.drop());

  it('publishes once for each key of a group, in order, and refuses other content', async () => {
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

  it('publishes once for each key of two processes', async () => {
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
    for (const each of others) expect(each).to.have.property('created', true);
    expect(await publishing.publish({ key: 'later' })).to.have.property('created', true);
    await holder.release();
    const [first, second] = (await Promise.all(held)) as Published[];
    expect(first).to.have.property('created', true);
    expect(second).to.deep.equal({ id: first?.id, created: false });
  });

  it('H121: a key that has its event waits for no transaction that uses it, too', async () => {
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

  it('H121: only the first statement of a group waits for keys that others hold', async () => {
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
    for (const each of [...free, ...(await Promise.all(many))]) {
      expect(each).to.have.property('created', true);
    }
    expect(waits.slice(0, 3)).to.deep.equal(['25', '1', '1']);
  });
});
