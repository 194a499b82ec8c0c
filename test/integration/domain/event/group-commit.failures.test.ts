import { expect } from 'chai';
import type { Published } from '../../../../src/domain/event/store-events.js';
import { isUnavailable } from '../../../../src/domain/unavailable.js';
import { insertAccount, untilLockIsAwaited } from '../../../support/engine.js';
import { codeOf, Publishing, publisherOf } from '../../../support/publisher.js';
import { statementsOf } from '../../../support/statements.js';

describe('group commit when something fails', () => {
  let publishing: Publishing;

  before(async () => (publishing = await Publishing.create()));
  beforeEach(() => publishing.reset());
  after(() => publishing.test.drop());

  it('finds a row that PostgreSQL refuses by halves, and stores the others', async () => {
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
      const failed = results.filter((each) => each instanceof Error);
      expect(failed).to.have.lengthOf(1);
      expect(codeOf(results[70]!)).to.equal('23514');
      expect(sent).to.have.lengthOf.at.most(15);
      expect(publishing.accepted).to.equal(99);
    } finally {
      await publishing.test.query('alter table event drop constraint poison');
    }
  });

  it('answers everyone that PostgreSQL is away, and stores nothing', async () => {
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
    expect(results.map((each) => isUnavailable(each))).to.deep.equal([true, true, false]);
    expect(await publishing.stored()).to.have.members(before);
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

  it('refuses at once what exceeds the bytes that may wait', async () => {
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
    const refused = results.map((each) => each instanceof Error);
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
    for (const each of await publishing.many(3)) expect(each).to.have.property('created', true);
  });
});
