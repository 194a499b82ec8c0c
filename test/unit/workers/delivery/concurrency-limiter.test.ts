import { expect } from 'chai';
import fc from 'fast-check';
import { ConcurrencyLimiter } from '../../../../workers/delivery/limiter.js';

describe('limits', () => {
  it('say when an endpoint that was full has room again', () => {
    const limiter = new ConcurrencyLimiter(10, 2);
    limiter.acquire('one');
    limiter.acquire('one');
    limiter.acquire('two');
    const capacity = limiter.capacityFor(7);
    expect(limiter.release('one', 'notStarted')).to.equal(true);
    expect(limiter.release('two', 'notStarted')).to.equal(false);
    limiter.claimed([], capacity);
    expect(limiter.release('one', 'notStarted'), 'it had no room in that claim').to.equal(true);
  });

  it('never give more per endpoint than in all', () => {
    expect(new ConcurrencyLimiter(3, 20).perEndpoint).to.equal(3);
  });

  it('refuse to release a slot that is not taken', () => {
    expect(() => new ConcurrencyLimiter(1, 1).release('one', 'notStarted')).to.throw('no slot');
  });

  it('tell who waits for room when there is some', async () => {
    const limiter = new ConcurrencyLimiter(1, 1);
    limiter.acquire('one');
    let notified = false;
    const waiting = limiter
      .waitForCapacity(new AbortController().signal)
      .then(() => (notified = true));
    await Promise.resolve();
    expect(notified).to.equal(false);
    limiter.release('one', 'notStarted');
    await waiting;
  });

  describe('of endpoints that begin with few', () => {
    let now = 0;
    let limiter: ConcurrencyLimiter;
    const clock = { now: () => now, after: () => () => undefined };
    const capacity = (endpoint: string) =>
      limiter.perEndpoint - (limiter.inFlight.get(endpoint) ?? 0);

    beforeEach(() => {
      now = 0;
      limiter = new ConcurrencyLimiter(200, 20, { initial: 2, clock });
    });

    const ask = (endpoint: string) => {
      limiter.acquire(endpoint);
      limiter.started(endpoint);
    };

    /** Makes `count` attempts of `takesMs` one after the other. */
    const answer = (endpoint: string, count: number, takesMs = 1) => {
      for (let index = 0; index < count; index += 1) {
        ask(endpoint);
        now += takesMs;
        limiter.release(endpoint, 'responded');
      }
    };

    it('grow by one for each answer, up to the cap', () => {
      expect(capacity('one')).to.equal(2);
      answer('one', 3);
      expect(capacity('one')).to.equal(5);
      answer('one', 40);
      expect(capacity('one')).to.equal(20);
      limiter.acquire('one');
      expect(capacity('one')).to.equal(19);
    });

    it('shrink when no answer comes, at once or for half a second', () => {
      answer('one', 10);
      ask('one');
      limiter.release('one', 'noResponse');
      expect(capacity('one')).to.equal(2);
      answer('two', 10);
      for (let index = 0; index < 5; index += 1) ask('two');
      expect(capacity('two')).to.equal(7);
      now += 501;
      expect(capacity('two')).to.equal(-3);
      limiter.release('two', 'responded');
      expect(capacity('two')).to.equal(-1);
    });

    it('are no fewer for receivers that always take long', () => {
      for (let round = 0; round < 10; round += 1) {
        const share = capacity('slow');
        for (let index = 0; index < share; index += 1) ask('slow');
        now += 2_000;
        for (let index = 0; index < share; index += 1) limiter.release('slow', 'responded');
      }
      expect(capacity('slow')).to.equal(20);
    });

    it('are as many as before when a slot is released unused, or after an error of ours', () => {
      answer('one', 10);
      limiter.acquire('one');
      limiter.release('one', 'notStarted');
      expect(capacity('one')).to.equal(12);
      ask('one');
      limiter.release('one', 'internalError');
      expect(capacity('one')).to.equal(12);
    });

    it('do not shrink while what is claimed waits to be sent', () => {
      answer('one', 10);
      limiter.acquire('one');
      now += 501;
      expect(capacity('one')).to.equal(11);
      limiter.started('one');
      now += 500;
      expect(capacity('one')).to.equal(11);
      now += 1;
      expect(capacity('one')).to.equal(1);
    });

    /** What one claim may bring each of `endpoints`. */
    const capacities = (endpoints: readonly string[]) => {
      const { perEndpoint, inFlight } = limiter;
      return new Map(endpoints.map((each) => [each, perEndpoint - (inFlight.get(each) ?? 0)]));
    };

    /** Sends as much as one claim may bring of endpoints with long backlogs. */
    const claim = (endpoints: readonly string[]) => {
      for (const [endpoint, count] of capacities(endpoints)) {
        for (let index = 0; index < count && limiter.free > 0; index += 1) ask(endpoint);
      }
    };

    const named = (name: string, count: number) =>
      Array.from({ length: count }, (_each, index) => `${name} ${index}`);

    it('hold half of the slots beyond the first few when many begin to hang at once', () => {
      const hanging = named('hanging', 40);
      for (const endpoint of [...hanging, 'healthy']) answer(endpoint, 18);
      now += 100;

      for (let claims = 0; claims < 50; claims += 1) {
        claim(hanging);
        now += 1;
      }

      expect(limiter.total).to.equal(40 * 2 + 100);
      claim(['healthy']);
      expect(limiter.total).to.equal(182);
      now += 5;
      expect(limiter.release('healthy', 'responded'), 'it was given less than it had').to.equal(
        true,
      );
      expect(capacity('healthy'), 'it answers').to.equal(19);
    });

    it('may fill all slots while they answer', () => {
      const busy = named('busy', 10);
      for (const endpoint of busy) answer(endpoint, 18);
      now += 100;
      claim(busy);
      expect(limiter.total).to.equal(120);
      for (const endpoint of busy) limiter.release(endpoint, 'responded');
      claim(busy);
      expect(limiter.total).to.equal(200);
    });

    it('share what is left in turns', () => {
      const busy = named('busy', 10);
      for (const endpoint of busy) answer(endpoint, 18);
      now += 100;
      const limit = new Map(busy.map((each) => [each, 0]));
      for (let claims = 0; claims < 10; claims += 1) {
        for (const [each, count] of capacities(busy))
          limit.set(each, Math.max(count, limit.get(each) ?? 0));
      }
      expect([...limit.values()]).to.deep.equal(Array.from(busy, () => 20));
    });

    it('are remembered of the last 500 that rest', () => {
      for (let index = 0; index < 501; index += 1) answer(`endpoint ${index}`, 1);
      expect(limiter.inFlight.has('endpoint 0')).to.equal(false);
      expect(limiter.inFlight.has('endpoint 1')).to.equal(true);
      expect(limiter.inFlight.size).to.equal(500);
    });
  });

  it('add up after any sequence', () => {
    const endpoints = fc.array(fc.constantFrom('one', 'two', 'three'), { maxLength: 50 });
    fc.assert(
      fc.property(endpoints, (taken) => {
        const limiter = new ConcurrencyLimiter(50, 10);
        for (const endpoint of taken) limiter.acquire(endpoint);
        const sum = [...limiter.inFlight.values()].reduce((total, count) => total + count, 0);
        expect(limiter.total).to.equal(sum);
        expect(limiter.free).to.equal(50 - taken.length);
        for (const endpoint of taken) limiter.release(endpoint, 'notStarted');
        expect(limiter.total).to.equal(0);
        expect(limiter.inFlight.size).to.equal(0);
      }),
    );
  });
});
