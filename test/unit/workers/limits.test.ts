import { expect } from 'chai';
import fc from 'fast-check';
import { Limits } from '../../../workers/limits.js';

describe('limits', () => {
  it('say when an endpoint that was full has room again', () => {
    const limits = new Limits(10, 2);
    limits.take('one');
    limits.take('one');
    limits.take('two');
    expect(limits.give('one', 'unasked')).to.equal(true);
    expect(limits.give('one', 'unasked')).to.equal(false);
    expect(limits.give('two', 'unasked')).to.equal(false);
  });

  it('never give more per endpoint than in all', () => {
    expect(new Limits(3, 20).perEndpoint).to.equal(3);
  });

  it('refuse a slot that nobody holds', () => {
    expect(() => new Limits(1, 1).give('one', 'unasked')).to.throw('no slot');
  });

  it('tell who waits for room when there is some', async () => {
    const limits = new Limits(1, 1);
    limits.take('one');
    let told = false;
    const waiting = limits.room(new AbortController().signal).then(() => (told = true));
    await Promise.resolve();
    expect(told).to.equal(false);
    limits.give('one', 'unasked');
    await waiting;
  });

  describe('of endpoints that begin with few', () => {
    let now = 0;
    let limits: Limits;
    const clock = { now: () => now, after: () => () => undefined };
    const room = (endpoint: string) => limits.perEndpoint - (limits.inFlight.get(endpoint) ?? 0);

    beforeEach(() => {
      now = 0;
      limits = new Limits(200, 20, { first: 2, clock });
    });

    const ask = (endpoint: string) => {
      limits.take(endpoint);
      limits.asked(endpoint);
    };

    /** Makes `count` attempts of `takesMs` one after the other. */
    const answer = (endpoint: string, count: number, takesMs = 1) => {
      for (let index = 0; index < count; index += 1) {
        ask(endpoint);
        now += takesMs;
        limits.give(endpoint, 'answered');
      }
    };

    it('grow by one for each answer, up to the cap', () => {
      expect(room('one')).to.equal(2);
      answer('one', 3);
      expect(room('one')).to.equal(5);
      answer('one', 40);
      expect(room('one')).to.equal(20);
      limits.take('one');
      expect(room('one')).to.equal(19);
    });

    it('shrink when no answer comes, at once or for half a second', () => {
      answer('one', 10);
      ask('one');
      limits.give('one', 'silent');
      expect(room('one')).to.equal(2);
      answer('two', 10);
      for (let index = 0; index < 5; index += 1) ask('two');
      expect(room('two')).to.equal(7);
      now += 501;
      expect(room('two')).to.equal(-3);
      limits.give('two', 'answered');
      expect(room('two')).to.equal(-1);
    });

    it('are no fewer for receivers that always take long', () => {
      for (let round = 0; round < 10; round += 1) {
        const share = room('slow');
        for (let index = 0; index < share; index += 1) ask('slow');
        now += 2_000;
        for (let index = 0; index < share; index += 1) limits.give('slow', 'answered');
      }
      expect(room('slow')).to.equal(20);
    });

    it('are as many as before when a slot is given back unasked, or by a fault of ours', () => {
      answer('one', 10);
      limits.take('one');
      limits.give('one', 'unasked');
      expect(room('one')).to.equal(12);
      ask('one');
      limits.give('one', 'fault');
      expect(room('one')).to.equal(12);
    });

    it('do not shrink while what is claimed waits to be sent', () => {
      answer('one', 10);
      limits.take('one');
      now += 501;
      expect(room('one')).to.equal(11);
      limits.asked('one');
      now += 500;
      expect(room('one')).to.equal(11);
      now += 1;
      expect(room('one')).to.equal(1);
    });

    it('are remembered of the last 500 that rest', () => {
      for (let index = 0; index < 501; index += 1) answer(`endpoint ${index}`, 1);
      expect(room('endpoint 0')).to.equal(2);
      expect(room('endpoint 1')).to.equal(3);
      expect(limits.inFlight.size).to.equal(500);
    });
  });

  it('add up after any sequence', () => {
    const endpoints = fc.array(fc.constantFrom('one', 'two', 'three'), { maxLength: 50 });
    fc.assert(
      fc.property(endpoints, (taken) => {
        const limits = new Limits(50, 10);
        for (const endpoint of taken) limits.take(endpoint);
        const sum = [...limits.inFlight.values()].reduce((total, count) => total + count, 0);
        expect(limits.total).to.equal(sum);
        expect(limits.free).to.equal(50 - taken.length);
        for (const endpoint of taken) limits.give(endpoint, 'unasked');
        expect(limits.total).to.equal(0);
        expect(limits.inFlight.size).to.equal(0);
      }),
    );
  });
});
