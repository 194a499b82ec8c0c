import { expect } from 'chai';
import { unlistEventType, retireEventType } from '../../../../src/domain/event/event-types.js';
import type { PublishRequest } from '../../../../src/domain/event/prepare-event.js';
import type { Published } from '../../../../src/domain/event/store-events.js';
import { TransactionAborted } from '../../../../src/domain/tx.js';
import { insertAccount } from '../../../support/engine.js';
import { codeOf, Publishing } from '../../../support/publisher.js';
import { statementsOf } from '../../../support/statements.js';

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

  it('H201: lets only a lone event that found nothing in flight notify by its commit', async () => {
    const sent = await statementsOf(async () => {
      const first = publishing.publish();
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      await Promise.all([first, publishing.publish()]);
    });
    expect(sent.map(({ values }) => values[14])).to.deep.equal(['signalpost_wake_due', null]);
  });

  it('H121: stores what arrives meanwhile together, with a result for each', async () => {
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
    const ids = results.map((each) => (each as Published).id);
    expect(new Set(ids).size).to.equal(101);
    expect(await publishing.stored()).to.include.members(ids);
    expect([publishing.woken.length, publishing.accepted]).to.deep.equal([3, 101]);
  });

  it('H121: stores what 50 callers publish by fewer than 0.2 statements an event', async () => {
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

  it('H121: refuses the events that are wrong, and no other', async () => {
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
    for (const [place, each] of results.entries()) {
      if (place % 2 === 1) expect(each).to.have.property('created', true);
    }
    expect(await publishing.publish({ key: 'taken' })).to.deep.equal({ id, created: false });
    expect(publishing.accepted).to.equal(7);
  });

  it('H123: refuses an account and a type from the moment they are gone', async () => {
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

  it('takes an event whose caller left out of the queue', async () => {
    const first = publishing.send();
    const signal = { aborted: false };
    await Promise.resolve();
    const late = publishing.publisher.publish([publishing.request({ subject: 'late' })], signal);
    signal.aborted = true;
    await first;
    expect((await late)[0]).to.be.instanceOf(TransactionAborted);
    expect(await publishing.stored(`subject = 'late'`)).to.deep.equal([]);
  });

  it('splits more than 250 events, and more than a mebibyte', async () => {
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
