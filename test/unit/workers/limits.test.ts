import { expect } from 'chai';
import fc from 'fast-check';
import { Limits } from '../../../workers/limits.js';

describe('limits', () => {
  it('say when an endpoint that was full has room again', () => {
    const limits = new Limits(10, 2);
    limits.take('one');
    limits.take('one');
    limits.take('two');
    expect(limits.give('one')).to.equal(true);
    expect(limits.give('one')).to.equal(false);
    expect(limits.give('two')).to.equal(false);
  });

  it('never give more per endpoint than in all', () => {
    expect(new Limits(3, 20).perEndpoint).to.equal(3);
  });

  it('refuse a slot that nobody holds', () => {
    expect(() => new Limits(1, 1).give('one')).to.throw('no slot');
  });

  it('tell who waits for room when there is some', async () => {
    const limits = new Limits(1, 1);
    limits.take('one');
    let told = false;
    const waiting = limits.room(new AbortController().signal).then(() => (told = true));
    await Promise.resolve();
    expect(told).to.equal(false);
    limits.give('one');
    await waiting;
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
        for (const endpoint of taken) limits.give(endpoint);
        expect(limits.total).to.equal(0);
        expect(limits.inFlight.size).to.equal(0);
      }),
    );
  });
});
