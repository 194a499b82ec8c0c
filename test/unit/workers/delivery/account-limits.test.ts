import { expect } from 'chai';
import { ConcurrencyLimiter } from '../../../../workers/delivery/limiter.js';

describe('limits of accounts', () => {
  let now = 0;
  let limiter: ConcurrencyLimiter;
  const clock = { now: () => now, after: () => () => undefined };

  beforeEach(() => {
    now = 0;
    limiter = new ConcurrencyLimiter(200, 20, { initial: 2, perAccount: 50, reserved: 20, clock });
  });

  const capacity = (account: string) => {
    const { perAccount = 0, accounts } = limiter.capacityFor(200);
    return accounts?.get(account) ?? perAccount;
  };

  const fastEndpoints = (account: string) =>
    (limiter.capacityFor(200).fast ?? []).filter(({ accountId }) => accountId === account);
  const ask = (account: string, endpoint: string) => {
    limiter.acquire(endpoint, account);
    return limiter.started(endpoint);
  };

  const answer = (account: string, endpoint: string, takesMs: number) => {
    ask(account, endpoint);
    now += takesMs;
    limiter.release(endpoint, 'responded');
  };

  const hang = (account: string, count: number) => {
    for (let index = 0; index < count; index += 1) ask(account, `${account} hangs ${index}`);
  };

  it('give one no more than its share, and the others theirs', () => {
    hang('one', 30);
    expect([capacity('one'), capacity('two')]).to.deep.equal([20, 50]);
    hang('one', 20);
    expect([capacity('one'), capacity('two')]).to.deep.equal([0, 50]);
    expect(limiter.release('one hangs 0', 'noResponse'), 'it may have been passed over').to.equal(
      true,
    );
    expect(capacity('one')).to.equal(1);
  });

  it('give an account at its share more for endpoints that answered within a second', () => {
    answer('one', 'prompt', 1_000);
    answer('one', 'slow', 1_001);
    for (const endpoint of ['prompt', 'slow']) ask('one', endpoint);
    expect(capacity('one')).to.equal(49);
    hang('one', 49);
    expect(capacity('one')).to.equal(0);
    expect(fastEndpoints('one')).to.deep.equal([{ accountId: 'one', endpointId: 'prompt' }]);
    expect(fastEndpoints('two')).to.deep.equal([]);
    now += 1_001;
    expect(fastEndpoints('one'), 'it has not answered for a second').to.deep.equal([]);
    limiter.release('prompt', 'noResponse');
    expect(fastEndpoints('one')).to.deep.equal([]);
  });

  it('name prompt endpoints that a claim filled, so that their backlogs do not count', () => {
    answer('one', 'prompt', 1);
    expect(fastEndpoints('one')).to.deep.equal([]);
    for (let index = 0; index < 3; index += 1) limiter.acquire('prompt', 'one');
    limiter.release('prompt', 'notStarted');
    expect(fastEndpoints('one')).to.deep.equal([{ accountId: 'one', endpointId: 'prompt' }]);
    limiter.claimed([], limiter.capacityFor(200));
    expect(fastEndpoints('one'), 'the claim brought nothing').to.deep.equal([]);
  });

  it('name the endpoints that a claim need not look at, because they have no free slot', () => {
    const full = () => limiter.capacityFor(200).full;
    ask('one', 'busy');
    expect(full()).to.deep.equal([]);
    ask('one', 'busy');
    expect(full()).to.deep.equal([{ accountId: 'one', endpointId: 'busy' }]);
    limiter.release('busy', 'responded');
    expect(full()).to.deep.equal([]);
  });

  it('count what an endpoint holds that answers some and lets others wait', () => {
    answer('one', 'cheat', 1);
    for (let index = 0; index < 20; index += 1) ask('one', 'cheat');
    expect(capacity('one')).to.equal(50);
    now += 900;
    const last = ask('one', 'cheat');
    now += 101;
    limiter.release('cheat', 'responded', last);
    expect(capacity('one')).to.equal(30);
  });

  it('keep a tenth for accounts that hold none', () => {
    for (let index = 0; index < 20; index += 1) {
      for (let count = 0; count < 10; count += 1) answer('one', `prompt ${index}`, 1);
      for (let count = 0; count < 10; count += 1) limiter.acquire(`prompt ${index}`, 'one');
    }

    expect(limiter.total).to.equal(200);

    for (let begun = 0; begun < 180; begun += 1) {
      expect(
        limiter.mayStart({ accountId: 'one', endpointId: 'prompt 0' }),
        String(begun),
      ).to.equal(true);
      limiter.started(`prompt ${Math.floor(begun / 10)}`);
    }

    expect([
      limiter.mayStart({ accountId: 'one', endpointId: 'prompt 0' }),
      limiter.anyMayStart,
    ]).to.deep.equal([false, false]);

    expect([limiter.free, limiter.reservedFree]).to.deep.equal([-20, 20]);

    const { accounts, perAccount } = limiter.reservedCapacityFor(20);
    expect([accounts?.get('one'), perAccount]).to.deep.equal([0, 5]);
    limiter.acquire('other', 'two');

    expect([
      limiter.anyMayStart,
      limiter.mayStart({ accountId: 'two', endpointId: 'other' }),
    ]).to.deep.equal([true, true]);

    limiter.started('other');
    expect(limiter.reservedFree).to.equal(19);
    limiter.acquire('other', 'two');
    expect(limiter.mayStart({ accountId: 'two', endpointId: 'other' }), 'it holds one').to.equal(
      false,
    );
  });

  it('say when a claim may have passed over what there is room for', () => {
    const claims = Array.from({ length: 50 }, (_each, index) => ({
      accountId: 'one',
      endpointId: `new ${index}`,
    }));
    limiter.claimed(claims, limiter.capacityFor(200));
    expect(limiter.mayHaveSkipped, 'it has its share').to.equal(false);
    limiter.release('new 0', 'notStarted');
    expect(limiter.mayHaveSkipped).to.equal(true);
    limiter.claimed([], limiter.capacityFor(200));
    expect(limiter.mayHaveSkipped).to.equal(false);
  });

  it('say that a claim brought all that an endpoint had room for, until one brings less', () => {
    limiter = new ConcurrencyLimiter(10, 2);
    const claims = (count: number) =>
      Array.from({ length: count }, () => ({ accountId: 'a', endpointId: 'one' }));
    limiter.claimed(claims(1), limiter.capacityFor(10));
    expect(limiter.mayHaveSkipped, 'it brought one of two').to.equal(false);
    const capacity = limiter.capacityFor(9);
    limiter.release('one', 'notStarted');
    limiter.claimed(claims(1), capacity);
    expect(limiter.mayHaveSkipped, 'the other slot is free by now').to.equal(true);
    limiter.claimed([], limiter.capacityFor(9));
    expect(limiter.mayHaveSkipped).to.equal(false);
    expect(limiter.release('one', 'notStarted')).to.equal(false);
  });

  it('say nothing of an endpoint whose account has no slot left, until that has one', () => {
    for (let count = 0; count < 10; count += 1) answer('one', 'mixed', 1);
    limiter.capacityFor(200);
    const started = Array.from({ length: 12 }, () => ask('one', 'mixed'));
    hang('one', 50);
    now += 1_001;
    for (const startedAt of started.slice(0, 11)) limiter.release('mixed', 'responded', startedAt);
    limiter.claimed([], limiter.capacityFor(200));
    expect(capacity('one')).to.equal(0);
    expect(limiter.mayHaveSkipped, 'the next claim would bring as little').to.equal(false);
    limiter.release('mixed', 'noResponse');
    limiter.release('one hangs 0', 'noResponse');
    expect(limiter.mayHaveSkipped).to.equal(true);
  });
});
