import { expect } from 'chai';
import fc from 'fast-check';
import { Limits } from '../../../workers/limits.js';

describe('limits', () => {
  it('say when an endpoint that was full has room again', () => {
    const limits = new Limits(10, 2);
    limits.take('one');
    limits.take('one');
    limits.take('two');
    const room = limits.roomFor(7);
    expect(limits.give('one', 'unasked')).to.equal(true);
    expect(limits.give('two', 'unasked')).to.equal(false);
    limits.claimed([], room);
    expect(limits.give('one', 'unasked'), 'it had no room in that claim').to.equal(true);
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

    /** What one claim may bring each of `endpoints`. */
    const rooms = (endpoints: readonly string[]) => {
      const { perEndpoint, inFlight } = limits;
      return new Map(endpoints.map((each) => [each, perEndpoint - (inFlight.get(each) ?? 0)]));
    };
    /** Sends as much as one claim may bring of endpoints with long backlogs. */
    const claim = (endpoints: readonly string[]) => {
      for (const [endpoint, count] of rooms(endpoints)) {
        for (let index = 0; index < count && limits.free > 0; index += 1) ask(endpoint);
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
      expect(limits.total).to.equal(40 * 2 + 100);
      claim(['healthy']);
      expect(limits.total).to.equal(182);
      now += 5;
      expect(limits.give('healthy', 'answered'), 'it was given less than it had').to.equal(true);
      expect(room('healthy'), 'it answers').to.equal(19);
    });

    it('may fill all slots while they answer', () => {
      const busy = named('busy', 10);
      for (const endpoint of busy) answer(endpoint, 18);
      now += 100;
      claim(busy);
      expect(limits.total).to.equal(120);
      for (const endpoint of busy) limits.give(endpoint, 'answered');
      claim(busy);
      expect(limits.total).to.equal(200);
    });

    it('share what is left in turns', () => {
      const busy = named('busy', 10);
      for (const endpoint of busy) answer(endpoint, 18);
      now += 100;
      const most = new Map(busy.map((each) => [each, 0]));
      for (let claims = 0; claims < 10; claims += 1) {
        for (const [each, count] of rooms(busy))
          most.set(each, Math.max(count, most.get(each) ?? 0));
      }
      expect([...most.values()]).to.deep.equal(Array.from(busy, () => 20));
    });

    it('are remembered of the last 500 that rest', () => {
      for (let index = 0; index < 501; index += 1) answer(`endpoint ${index}`, 1);
      expect(limits.inFlight.has('endpoint 0')).to.equal(false);
      expect(limits.inFlight.has('endpoint 1')).to.equal(true);
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
