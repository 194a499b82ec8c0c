import { expect } from 'chai';
import type { PublishRequest } from '../../../../src/domain/event/prepare-event.js';
import type { Published } from '../../../../src/domain/event/store-events.js';
import type { Wakeup } from '../../../../src/domain/wakeup.js';
import { Publishing } from '../../../support/publisher.js';
import { statementsOf } from '../../../support/statements.js';

describe('publishAtomically', () => {
  let publishing: Publishing;
  let woken: Wakeup[];

  before(async () => (publishing = await Publishing.create()));

  beforeEach(async () => {
    await publishing.reset();
    woken = [];
  });

  after(() => publishing.test.drop());

  const publishAll = async (changes: readonly Partial<PublishRequest>[]) => {
    const { transact } = await publishing.test.open({
      wake: (wakeups) => void woken.push(...wakeups),
    });
    return publishing.publisher.publishAtomically(
      transact,
      changes.map((each) => publishing.request(each)),
    );
  };

  const causeOf = (result: unknown) =>
    (result as { errors?: readonly { code: string }[] }).errors?.[0]?.code;

  it('stores all in one transaction, those without keys by one statement', async () => {
    let results: unknown[] = [];
    const sent = await statementsOf(async () => {
      results = await publishAll(Array.from({ length: 1_000 }, () => ({})));
    });
    const texts = sent.map(({ text }) => text.trim().slice(0, 6));
    expect(texts.slice(-3)).to.deep.equal(['BEGIN ', 'with i', 'COMMIT']);
    expect(new Set((results as Published[]).map(({ id }) => id)).size).to.equal(1_000);
    expect(await publishing.stored()).to.have.lengthOf(1_001);
    expect(woken).to.have.lengthOf(1_000);
  });

  it('publishes each key once, also one that was published before', async () => {
    const { id } = await publishing.publish({ key: 'old' });
    const results = await publishAll([{ key: 'new' }, { key: 'old' }, { key: 'new' }, {}]);
    const [first, old, again, plain] = results as Published[];
    expect(old).to.deep.equal({ id, created: false });
    expect(again).to.deep.equal({ id: first?.id, created: false });
    expect([first?.created, plain?.created]).to.deep.equal([true, true]);
  });

  it('stores none if one is refused, and says so of each', async () => {
    const wrong: [Partial<PublishRequest>, string][] = [
      [{ type: 'no.such' }, 'unknown_event_type'],
      [{ accountId: 'acc_000000000000000000000000' }, 'not_found'],
      [{ subject: '' }, 'invalid_value'],
      [{ key: 'good', data: { n: 2 } }, 'event_key_conflict'],
    ];

    const before = await publishing.stored();

    for (const [change, code] of wrong) {
      const results = await publishAll([{ key: 'good' }, {}, change, {}]);
      const none = 'not_published';
      const cause = code;
      expect(results.map(causeOf)).to.deep.equal([none, none, cause, none]);
    }

    expect(await publishing.stored()).to.have.members(before);
    expect(woken).to.deep.equal([]);
    expect(await publishing.publish({ key: 'good' })).to.have.property('created', true);
  });
});
