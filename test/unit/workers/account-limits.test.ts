import { expect } from 'chai';
import { Limits } from '../../../workers/limits.js';

describe('limits of accounts', () => {
  let now = 0;
  let limits: Limits;
  const clock = { now: () => now, after: () => () => undefined };

  beforeEach(() => {
    now = 0;
    limits = new Limits(200, 20, { first: 2, perAccount: 50, kept: 20, clock });
  });

  const room = (account: string) => {
    const { perAccount = 0, accounts } = limits.roomFor(200);
    return accounts?.get(account) ?? perAccount;
  };
  const promptOf = (account: string) =>
    (limits.roomFor(200).prompt ?? []).filter(({ accountId }) => accountId === account);
  const ask = (account: string, endpoint: string) => {
    limits.take(endpoint, account);
    return limits.asked(endpoint);
  };
  const answer = (account: string, endpoint: string, takesMs: number) => {
    ask(account, endpoint);
    now += takesMs;
    limits.give(endpoint, 'answered');
  };
  const hang = (account: string, count: number) => {
    for (let index = 0; index < count; index += 1) ask(account, `${account} hangs ${index}`);
  };

  it('give one no more than its share, and the others theirs', () => {
    hang('one', 30);
    expect([room('one'), room('two')]).to.deep.equal([20, 50]);
    hang('one', 20);
    expect([room('one'), room('two')]).to.deep.equal([0, 50]);
    expect(limits.give('one hangs 0', 'silent'), 'it may have been passed over').to.equal(true);
    expect(room('one')).to.equal(1);
  });

  it('give an account at its share more for endpoints that answered within a second', () => {
    answer('one', 'prompt', 1_000);
    answer('one', 'slow', 1_001);
    for (const endpoint of ['prompt', 'slow']) ask('one', endpoint);
    expect(room('one')).to.equal(49);
    hang('one', 49);
    expect(room('one')).to.equal(0);
    expect(promptOf('one')).to.deep.equal([{ accountId: 'one', endpointId: 'prompt' }]);
    expect(promptOf('two')).to.deep.equal([]);
    now += 1_001;
    expect(promptOf('one'), 'it has not answered for a second').to.deep.equal([]);
    limits.give('prompt', 'silent');
    expect(promptOf('one')).to.deep.equal([]);
  });

  it('name prompt endpoints that a claim filled, so that their backlogs do not count', () => {
    answer('one', 'prompt', 1);
    expect(promptOf('one')).to.deep.equal([]);
    for (let index = 0; index < 3; index += 1) limits.take('prompt', 'one');
    limits.give('prompt', 'unasked');
    expect(promptOf('one')).to.deep.equal([{ accountId: 'one', endpointId: 'prompt' }]);
    limits.claimed([], limits.roomFor(200));
    expect(promptOf('one'), 'the claim brought nothing').to.deep.equal([]);
  });

  it('count what an endpoint holds that answers some and lets others wait', () => {
    answer('one', 'cheat', 1);
    for (let index = 0; index < 20; index += 1) ask('one', 'cheat');
    expect(room('one')).to.equal(50);
    now += 900;
    const last = ask('one', 'cheat');
    now += 101;
    limits.give('cheat', 'answered', last);
    expect(room('one')).to.equal(30);
  });

  it('keep a tenth for accounts that hold none', () => {
    for (let index = 0; index < 20; index += 1) {
      for (let count = 0; count < 10; count += 1) answer('one', `prompt ${index}`, 1);
      for (let count = 0; count < 10; count += 1) limits.take(`prompt ${index}`, 'one');
    }
    expect(limits.total).to.equal(200);
    for (let begun = 0; begun < 180; begun += 1) {
      expect(limits.mayBegin({ accountId: 'one' }), String(begun)).to.equal(true);
      limits.asked(`prompt ${Math.floor(begun / 10)}`);
    }
    expect([limits.mayBegin({ accountId: 'one' }), limits.anyMayBegin]).to.deep.equal([
      false,
      false,
    ]);
    expect([limits.free, limits.keptFree]).to.deep.equal([-20, 20]);
    const { accounts, perAccount } = limits.roomForOthers(20);
    expect([accounts?.get('one'), perAccount]).to.deep.equal([0, 5]);
    limits.take('other', 'two');
    expect([limits.anyMayBegin, limits.mayBegin({ accountId: 'two' })]).to.deep.equal([true, true]);
    limits.asked('other');
    expect(limits.keptFree).to.equal(19);
    limits.take('other', 'two');
    expect(limits.mayBegin({ accountId: 'two' }), 'it holds one').to.equal(false);
  });

  it('say when a claim may have passed over what there is room for', () => {
    const claims = Array.from({ length: 50 }, (_each, index) => ({
      accountId: 'one',
      endpointId: `new ${index}`,
    }));
    limits.claimed(claims, limits.roomFor(200));
    expect(limits.passedOver, 'it has its share').to.equal(false);
    limits.give('new 0', 'unasked');
    expect(limits.passedOver).to.equal(true);
    limits.claimed([], limits.roomFor(200));
    expect(limits.passedOver).to.equal(false);
  });

  it('say that a claim brought all that an endpoint had room for, until one brings less', () => {
    limits = new Limits(10, 2);
    const claims = (count: number) =>
      Array.from({ length: count }, () => ({ accountId: 'a', endpointId: 'one' }));
    limits.claimed(claims(1), limits.roomFor(10));
    expect(limits.passedOver, 'it brought one of two').to.equal(false);
    const room = limits.roomFor(9);
    limits.give('one', 'unasked');
    limits.claimed(claims(1), room);
    expect(limits.passedOver, 'the other slot is free by now').to.equal(true);
    limits.claimed([], limits.roomFor(9));
    expect(limits.passedOver).to.equal(false);
    expect(limits.give('one', 'unasked')).to.equal(false);
  });
});
